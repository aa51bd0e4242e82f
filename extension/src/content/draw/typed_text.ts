// Keeps in a text field what the person typed: a page may write into what has the focus, wherever that is.
//
// `document.execCommand` changes a field without a `beforeinput` before its `input`; keys, a paste, a drop and an input method
// have one (https://w3c.github.io/input-events/#event-type-beforeinput, measured).

export class TypedText {
  #field;
  #typed = '';
  #isTyping = false;

  constructor(field: HTMLTextAreaElement) {
    this.#field = field;
    field.addEventListener('beforeinput', () => this.#expect());
    field.addEventListener('input', () => this.#check());
  }

  get text(): string {
    return this.#typed;
  }

  set text(text: string) {
    this.#typed = this.#field.value = text;
  }

  /** Both events come in one task. */
  #expect() {
    this.#isTyping = true;
    setTimeout(() => {
      this.#isTyping = false;
    });
  }

  #check() {
    if (this.#isTyping) this.#typed = this.#field.value;
    else this.#field.value = this.#typed;
    this.#isTyping = false;
  }
}
