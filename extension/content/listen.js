// Answers the service worker's questions about this page; it must answer no one else, and stays silent until asked.

'use strict';

/** @typedef {(query: Record<string, unknown>) => object} Answerer */

/** @type {Record<string, Answerer>} */
var answers = {
  query_dom: queryDom,
  get_page_info: pageInfo,
  highlight,
  remove_highlight: removeHighlight,
  page_place: pagePlace,
  rename_page: renamePage,
  read_storages: readStorages,
  replace_storages: replaceStorages,
  release_storages: releaseStorages,
  perform,
  aim,
  aim_caret: aimCaret,
  aim_carried: aimCarried,
  verify,
  probe,
  pulse,
  seen: seenOf,
  aftermath: aftermathOf,
  page_load: () => pageLoad(), // a frame has none
  frame_place: framePlace,
  begin_form: beginForm,
  fill_field: fillField,
  submit_form: submitForm,
  drag_step: dragStep,
};

/** @type {boolean | undefined}  set once in this world, however often the files are injected */
var listening;

/** @type {Fault}  the frame around Chrome's viewer, which is all that an extension sees of a PDF */
var PDF = {
  code: 'tab_not_scriptable',
  message: 'Extensions have no access to this page: it is shown by the PDF viewer.',
  details: { url: location.href.slice(0, 500), reason: 'pdf_viewer' },
  recovery: 'Open a web page (http or https), or name another tab with tab_id.',
};

/**
 * @param {{name: string, arguments: Record<string, unknown>}} question
 * @returns {{result: object} | {error: Fault}}
 */
function answer(question) {
  if (nodes.contentType(document) === 'application/pdf') return { error: PDF };
  try {
    return { result: /** @type {Answerer} */ (answers[question.name])(question.arguments) };
  } catch (fault) {
    const { message, fault: known } = /** @type {Error & {fault?: Fault}} */ (fault);
    return { error: known ?? { code: 'internal_error', message: `The page's script failed: ${message}` } };
  }
}

if (!listening) {
  listening = true;
  chrome.runtime.onMessage.addListener((question, sender, reply) => {
    if (sender.id === chrome.runtime.id && Object.hasOwn(answers, question?.name)) reply(answer(question));
  });
}
