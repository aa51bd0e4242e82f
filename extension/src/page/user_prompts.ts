// Reports what the page asks of the browser that is not done at once: windows, permissions, printing; it must change nothing.
//
// Chrome opens no window for a script without a user's input, and asks the user for a permission: the page's own call
// succeeds or waits, and an action would look done.

import { channel, wrap } from './channel.ts';
import { describer } from './describe_value.ts';
import { http } from './http.ts';
import { natives } from './natives.ts';

const { apply, includes, lower, nth, quietly } = natives;
const { emit } = channel;
const { dataOf } = describer;
const { urlOf } = http;

/** A window with these features is never returned, opened or not. */
const SEVERED = ['noopener', 'noreferrer'];

const isSevered: (features: unknown) => boolean = (features) => {
  if (typeof features !== 'string') return false;
  const text = lower(features);
  for (let i = 0; i < SEVERED.length; i++) if (includes(text, SEVERED[i])) return true;
  return false;
};

const refusedWindow: (args: any[]) => void = (args) => {
  const url = args.length ? urlOf(nth(args, 0)) : '';
  emit({ __proto__: null, is: 'window', url, unsure: isSevered(nth(args, 2)) }, 'd');
};

wrap(globalThis, 'open', function trap(target, self, args) {
  const opened = apply(target, self, args);
  if (opened === null) quietly(refusedWindow, args);
  return opened;
});

const asks: (permission: string) => void = (permission) => emit({ __proto__: null, is: 'permission', permission }, 'd');

const gate: (owner: any, name: string, report: (args: any[]) => void) => void = (owner, name, report) => {
  wrap(owner, name, function trap(target, self, args) {
    const answer = apply(target, self, args);
    quietly(report, args);
    return answer;
  });
};

if (typeof Geolocation === 'function') {
  gate(Geolocation.prototype, 'getCurrentPosition', () => asks('geolocation'));
  gate(Geolocation.prototype, 'watchPosition', () => asks('geolocation'));
}
if (typeof Notification === 'function') gate(Notification, 'requestPermission', () => asks('notifications'));
if (typeof MediaDevices === 'function') {
  gate(MediaDevices.prototype, 'getUserMedia', (args) => {
    const wanted = nth(args, 0);
    if (dataOf(wanted, 'video')) asks('camera');
    if (dataOf(wanted, 'audio')) asks('microphone');
  });
}
