// Decides whether a text reads like orders to an assistant, by English words alone; pure. A text in other words is not found.

/** One of these is in every order below: most texts are asked for it alone. */
const WORDS =
  /ignor|disregard|forget|instruct|prompt|guideline|directive|everything|assistant|system|\bAI\b|\bLLM|model|bot|claude|gpt|gemini|copilot|user|INST|im_start/i;

const TO_WHOM =
  '(?:AI|LLM|AI (?:agent|model)|(?:AI )?assistant|language model|chatbot|claude|chatgpt|gpt-\\d|gemini|copilot)s?';

const ORDERS = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|guidelines|directives)\b/is,
  /\b(?:ignore|disregard|forget) (?:everything|all|anything)\b.{0,30}\b(?:above|before|previous|prior|told)\b/is,
  new RegExp(`\\b(?:you are|act as|as) (?:now )?(?:an? |the )?(?:helpful )?${TO_WHOM}\\b`, 'i'),
  new RegExp(`\\b${TO_WHOM}\\b.{0,80}\\b(?:must|should|shall|please|need to|are to|have to)\\b`, 'is'),
  new RegExp(`\\b(?:note|message|attention|instructions?) (?:to|for) (?:the |all |any )?${TO_WHOM}\\b`, 'i'),
  /(?:^|\n)\s*(?:SYSTEM|DEVELOPER|ASSISTANT)\s*:/,
  /\bsystem (?:prompt|message|instructions?)\s*:|\bnew (?:system )?instructions?\s*:|\bnew system prompt\b/i,
  /<\/?(?:system|instructions?|tool_call|function_calls?)>|\[\/?INST\]|<\|im_start\|>/i,
  /\b(?:do not|don't|never) (?:tell|inform|alert|notify|mention (?:this|it) to)\b.{0,20}\bthe user\b/is,
];

/** Whether a text may be one: most are not, by one look. */
export function hasAWord(text: string): boolean {
  return WORDS.test(text);
}

/** Whether a text reads like orders to an assistant. */
export function readsLikeOrders(text: string): boolean {
  return hasAWord(text) && ORDERS.some((pattern) => pattern.test(text));
}
