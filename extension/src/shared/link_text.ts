// The texts for people of each state of the link.

import type { LinkState } from './link_states.ts';

export interface Words {
  title: string;
  text: string;
  /** To be run in a terminal. */
  command?: string;
  facts?: Record<string, string>;
}

const WORDS: { [S in LinkState['state']]: (state: Extract<LinkState, { state: S }>) => Words } = {
  connecting: () => ({ title: 'Connecting…', text: 'Looking for the server on this machine.' }),
  connected: ({ port, name, version }) => ({
    title: 'Connected',
    text: 'An assistant on this machine can see your tabs.',
    facts: { Server: `${name} ${version}`, Address: `127.0.0.1:${port}` },
  }),
  away: ({ port }) => ({
    title: 'Server not running',
    text: `Nothing answers at 127.0.0.1:${port}. Start the server in a terminal; this connects by itself.`,
    command: 'gasoline up',
  }),
  not_installed: () => ({
    title: 'Not installed yet',
    text: 'Run this in a terminal, then load the folder that it prints, on chrome://extensions.',
    command: 'gasoline extension install',
  }),
  not_paired: ({ id }) => ({
    title: 'Not paired yet',
    text: 'Run this in a terminal, then paste the line that it prints in the set-up page.',
    command: pairCommand(id),
  }),
  refused: ({ port, id }) => ({
    title: 'Not our server',
    text:
      `What listens on port ${port} does not have the key of this copy, and gets nothing. It is another program, ` +
      (id ? 'or the code is old: pair again.' : 'or this copy is old: install it again; this connects by itself.'),
    command: id ? pairCommand(id) : 'gasoline extension install',
  }),
  taken: ({ port }) => ({
    title: 'Another browser is connected',
    text: `The server at 127.0.0.1:${port} is connected to another browser of yours. Close that one to use this one.`,
  }),
  stranger: ({ port }) => ({
    title: 'Another program answers',
    text: `Another program listens on port ${port}, and gets nothing. Find out which one it is.`,
    command: 'gasoline doctor',
  }),
};

function pairCommand(id: string) {
  return `gasoline extension pair ${id}`;
}

export function wordsFor(state: LinkState): Words {
  const words = WORDS[state.state] as (state: LinkState) => Words;
  return words(state);
}
