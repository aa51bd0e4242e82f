// Names what a long task ran, by the scripts of the long animation frames (https://w3c.github.io/long-animation-frames/).

/** What is used of a PerformanceScriptTiming. */
export interface RunScript {
  startTime: number;
  duration: number;
  sourceURL: string;
  sourceFunctionName: string;
  /** Of an event, `BUTTON#save.onclick`; of a timer, `TimerHandler:setTimeout`; of a whole script, its address. */
  invoker: string;
}

type Task = { start: number; duration: number };

/** Name the script that took most of a task; nothing where none is known, as of a task that only laid out. */
export function scriptOf({ start, duration }: Task, scripts: RunScript[]): { attribution?: string } {
  const end = start + duration;
  const shared = (script: RunScript) =>
    Math.min(end, script.startTime + script.duration) - Math.max(start, script.startTime);
  const [most] = scripts.filter((script) => shared(script) > 0).toSorted((one, other) => shared(other) - shared(one));
  return most ? { attribution: ['script', fileOf(most.sourceURL), runOf(most)].filter(Boolean).join(' ') } : {};
}

function fileOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) || '/' : '';
}

/** What ran in the file: a function by its name, else by what called it. */
function runOf({ sourceFunctionName, invoker, sourceURL }: RunScript): string {
  return sourceFunctionName || (invoker === sourceURL ? '' : invoker);
}
