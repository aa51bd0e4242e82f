// The sheet of Draw Mode's overlay, in its own root: no policy of the page governs it, and the page's rules do not reach it.

export const CSS_TEXT = `
:host { all: initial !important; position: fixed !important; inset: 0 !important; display: block !important; }
.layer { all: initial; display: block; position: fixed; inset: 0; pointer-events: none; }
dialog {
  all: initial; display: block; position: fixed; inset: 0; width: 100%; height: 100%; overflow: hidden;
  font: 13px/1.4 system-ui, sans-serif; color: #f6f5f4; color-scheme: dark; outline: none; cursor: crosshair;
  direction: ltr; pointer-events: auto;
}
dialog::backdrop { display: none; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; }
.pane { position: absolute; inset: 0; transform-origin: 0 0; pointer-events: none; }
.bar {
  position: absolute; left: 50%; bottom: 20px; transform: translateX(-50%); display: flex; align-items: center; gap: 4px;
  width: max-content; max-width: calc(100% - 24px); flex-wrap: wrap; justify-content: center; box-sizing: border-box;
  padding: 6px; border-radius: 12px; cursor: default; background: #1c1b1a; user-select: none; pointer-events: auto;
  box-shadow: 0 0 0 1px rgb(255 255 255 / 18%), 0 8px 28px rgb(0 0 0 / 45%);
}
.bar.above { bottom: auto; top: 20px; }
.bar.aside { opacity: 0.2; pointer-events: none; }
.hint {
  padding: 0 8px; min-width: 200px; box-sizing: border-box; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
.group { display: flex; align-items: center; gap: 2px; }
.rule { width: 1px; height: 20px; margin: 0 2px; background: #45413d; }
button {
  all: unset; box-sizing: border-box; display: flex; align-items: center; height: 30px; padding: 0 10px;
  border-radius: 8px; white-space: nowrap; cursor: pointer;
}
button:hover { background: #33302d; }
button:focus-visible { box-shadow: 0 0 0 2px #ffb385; }
button[aria-pressed="true"] { background: #4f4a45; }
button[disabled] { color: #8d867f; cursor: default; background: none; }
button.picture { padding: 0 7px; }
button.picture svg { width: 18px; height: 18px; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; }
button.done { background: #ff9a62; color: #17130f; font-weight: 600; }
button.done:hover { background: #ffb385; }
button.done:focus-visible { box-shadow: 0 0 0 2px #1c1b1a, 0 0 0 4px #ffb385; }
button.mark {
  position: absolute; width: 22px; height: 22px; padding: 0; border-radius: 50%; transform: translate(-50%, -50%);
  background: none; pointer-events: none;
}
button.mark:focus { box-shadow: 0 0 0 2px #ffffff, 0 0 0 4px #17130f; }
.dot { display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 6px; box-shadow: 0 0 0 1px #fff; }
textarea {
  all: initial; position: absolute; box-sizing: border-box; width: 280px; height: 62px; padding: 8px 10px; resize: none;
  font: 14px/1.4 system-ui, sans-serif; color: #1d1b19; background: #ffffff; border-radius: 8px; cursor: text;
  border: 2px solid var(--kind); box-shadow: 0 6px 20px rgb(0 0 0 / 35%); overflow: auto; white-space: pre-wrap;
  overflow-wrap: break-word;
}
textarea::placeholder { color: #66605a; }
[hidden] { display: none !important; }
@media (max-width: 640px) { .hint, .bar > .rule { display: none; } .group[aria-label="Kind"] { order: 1; } }
@media (pointer: coarse) { button { height: 40px; } button.picture { padding: 0 11px; } }
@media (forced-colors: active) { .bar { border: 1px solid CanvasText; } button[aria-pressed="true"] { outline: 2px solid Highlight; } }
`;
