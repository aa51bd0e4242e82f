// Knows while real input in this tab is the assistant's: the page cannot tell it from the human's, and we must; it sends none.

'use strict';

/** @type {number | undefined}  `performance.now()` at its end; set once in this world, however often the files are injected */
var ownInputUntil;

/** So long at most does one action send input. */
var OWN_INPUT_MS = 5000;

/** @returns {boolean} */
function isOwnInput() {
  return performance.now() < (ownInputUntil ?? -1);
}

/**
 * @param {boolean} on
 * @param {boolean} [anywhere]  its presses may land on whatever is in this frame
 */
function ownInput(on, anywhere = false) {
  landing = newLanding(anywhere);
  ownInputUntil = on ? performance.now() + OWN_INPUT_MS : -1;
}

if (ownInputUntil === undefined) {
  ownInput(false);
  chrome.runtime.onMessage.addListener((said, sender) => {
    if (sender.id === chrome.runtime.id && said?.name === 'own_input') ownInput(said.on === true, said.anywhere === true);
  });
}
