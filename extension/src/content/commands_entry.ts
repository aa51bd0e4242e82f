// The bundle that only commands need: the worker injects it into a frame when a command first asks something there.
//
// It is not declared in the manifest: a page that no assistant works in pays nothing for it, and the first command of a
// page one round trip and its injection.

import { auditAfter, auditBefore, hasOwnFrames } from './act/axe_audit.ts';
import { releasePress } from './act/click.ts';
import { dragStep } from './act/drag.ts';
import { fillFields, submitForm } from './act/form_fill.ts';
import { inputTarget, isCarried, placeCaret } from './act/input_target.ts';
import { lateChangesOf } from './act/late_changes.ts';
import { activity, collect } from './act/observer.ts';
import { pause, perform, probe, report, rest } from './act/perform.ts';
import { doStep } from './act/stepped.ts';
import { arrival } from './act/visible_outcome.ts';
import { treesOf } from './dom/search.ts';
import { frame, type MessageHandler, startOnce } from './frame.ts';
import { addHandlers } from './message_handlers.ts';
import { outline } from './outline/outline.ts';
import { pageDrawing } from './read/drawing.ts';
import { framePlace } from './read/frame_lookup.ts';
import { highlight, removeHighlight } from './read/highlight.ts';
import { pageInfo } from './read/page_info.ts';
import { pictureElements, picturePlace, preparePicture, showOverlays } from './read/picture_place.ts';
import { queryDom } from './read/query_dom.ts';
import { pageQuiet } from './read/quiet.ts';
import { pagePlace, readStorages, releaseStorages, renamePage, replaceStorages } from './read/storages.ts';

const handlers: Record<string, MessageHandler> = {
  query_dom: queryDom,
  get_page_info: pageInfo,
  get_outline: outline,
  highlight,
  remove_highlight: removeHighlight,
  picture_place: picturePlace,
  picture_elements: pictureElements,
  prepare_picture: preparePicture,
  show_overlays: showOverlays,
  page_place: pagePlace,
  page_quiet: () => pageQuiet(treesOf(document)),
  page_drawing: pageDrawing,
  rename_page: renamePage,
  read_storages: readStorages,
  replace_storages: replaceStorages,
  release_storages: releaseStorages,
  perform,
  input_target: inputTarget,
  place_caret: placeCaret,
  is_carried: isCarried,
  rest,
  pause,
  report,
  probe,
  activity,
  collect,
  late_changes: lateChangesOf,
  frame_place: framePlace,
  fill_fields: fillFields,
  submit_form: submitForm,
  drag_step: dragStep,
  release_press: releasePress,
  do_step: doStep,
  arrival,
};

startOnce('commands', () => {
  addHandlers(handlers);
  frame.audit = { auditBefore, auditAfter, hasOwnFrames };
});
