// Names for each long task the script that took most of it, by the long animation frame around it.
//
// https://w3c.github.io/long-animation-frames/

import { clip, rounded } from '../dom/text.ts';
import { bareAddress } from './addresses.ts';

type RunScript = {
  startTime: number;
  duration: number;
  sourceURL: string;
  sourceFunctionName: string;
  invoker: string;
};

export type LongFrame = PerformanceEntry & { scripts: RunScript[] };

const TASKS = 200;
const RUN_CHARACTERS = 100;

export function tasksOf(tasks: PerformanceEntry[], frames: LongFrame[]): object[] {
  const scripts = frames.flatMap((frame) => frame.scripts);
  return tasks.slice(0, TASKS).map((task) => {
    const most = scripts
      .map((script) => ({ script, ms: sharedMs(task, script) }))
      .filter(({ ms }) => ms > 0)
      .toSorted((one, other) => other.ms - one.ms)[0]?.script;
    return {
      start_ms: rounded(task.startTime),
      took_ms: rounded(task.duration),
      ...(most && { script: bareAddress(most.sourceURL), run: clip(runOf(most), RUN_CHARACTERS) }),
    };
  });
}

function sharedMs(task: PerformanceEntry, { startTime, duration }: RunScript) {
  return Math.min(task.startTime + task.duration, startTime + duration) - Math.max(task.startTime, startTime);
}

/** The function, or what called it; of a whole script its address is enough. */
function runOf({ sourceFunctionName, invoker, sourceURL }: RunScript) {
  return sourceFunctionName || (invoker === sourceURL ? '' : invoker);
}
