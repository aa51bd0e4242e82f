"""The prompts that a person chooses in their client, each a task for the assistant with the calls that it takes."""

import re
from typing import Any, NamedTuple

import mcp_types as types
from mcp.shared.exceptions import MCPError

QUOTED_CHARS = 500  # of an argument


class Prompt(NamedTuple):
    """A task and its steps, with `{…}` where a sentence about the argument stands; `argument`: name and meaning."""

    title: str
    description: str
    task: str
    steps: list[str]
    argument: tuple[str, str]
    sentences: dict[str, str]


PILOT = "Actions need AI Web Pilot: if one is refused for that, ask me to switch it on in the extension's popup."


def steps(text: str) -> list[str]:
    """Read steps that each begin with a dash, over any number of lines."""
    return [" ".join(step.split()).replace("PILOT", PILOT) for step in re.split(r"^ *- ", text, flags=re.MULTILINE)[1:]]


PROMPTS = {
    "debug-this-page": Prompt(
        "Debug this page",
        "Find the cause of what is wrong with the page in the browser, and mend it",
        "Find out what is wrong with the page in my browser, and why.{problem}",
        steps("""
        - Look at it: observe(what:"outline"), observe(what:"errors"), observe(what:"logs", levels:["error",
          "warn"]) and observe(what:"network_waterfall", status_min:400).
        - If that does not show the fault, make it happen: do by interact what a user would, with
          analyze:true, and read what each action caused. PILOT
        - Name the cause with its evidence: the error with its source and line, the request with its status,
          or the element. What you have not seen is a guess: call it one.
        - Mend it in the code, then interact(action:"refresh"), do the same again, and show that the fault is
          gone and that no new one has come.
        """),
        ("problem", "What goes wrong, in your own words"),
        {"problem": ' What I see: "{}"'},
    ),
    "why-is-it-slow": Prompt(
        "Why is it slow?",
        "Measure where the time of a load or of an interaction goes, and make it shorter",
        "Find out why the page in my browser is slow, and make it faster.{what}",
        steps("""
        - Keep how it is: analyze(action:"regression", scope:"baseline", name:"before", wait_s:50).
        - analyze(action:"audit", scope:"performance", wait_s:50) names the causes, the worst first. For a
          slow interaction do it by interact with analyze:true: `timing` has where the time went. PILOT
        - Mend the cause that costs most, and nothing else.
        - analyze(action:"regression", scope:"compare", name:"before", wait_s:50): its verdict decides.
          `no_change` or `inconclusive` is no success: say so, and go on with the next cause.
        """),
        ("what", "What is slow: the load, or what you do"),
        {"what": ' What is slow: "{}"'},
    ),
    "fix-my-annotations": Prompt(
        "Fix what I have drawn",
        "Do what the user has drawn on the page, one annotation after the other, and prove it",
        "Do what I have drawn on the page.",
        steps("""
        - analyze(action:"annotations"{name}) gives each annotation with its element and my remark. If there
          is none, call interact(action:"draw_mode_start"), ask me to draw, and analyze(action:"annotations",
          wait:true).
        - For each: analyze(action:"annotation_detail", correlation_id:"…") has the element's styles and its
          component. Find its code, and change what I ask for. A question is answered, not mended.
        - After a refresh analyze(action:"annotations", verify:true) must have `changed` for each that you
          mended.
        - Answer each by interact(action:"annotation_reply", correlation_id:"…", value:"resolved", text:"…"),
          in one sentence.
        """),
        ("name", "The name of the session, if it has one"),
        {"name": ', name:"{}"'},
    ),
    "accessibility-pass": Prompt(
        "Accessibility pass",
        "Find what keeps people from using the page, mend it, and check the result",
        "Make the page in my browser usable for everybody.",
        steps("""
        - analyze(action:"audit", scope:"accessibility"{selector}, wait_s:50): findings, the worst first, each
          with the value that mends it.
        - What no audit sees, try yourself: go through the page by interact(action:"key_press", key:"Tab",
          trusted:true), and look by observe(what:"screenshot") now and then: the order, a visible focus, no
          trap. PILOT
        - Mend the critical and high findings in the code, not by attributes that only silence the audit.
        - Run the audit again with force_refresh:true. Report what is gone, what is left and why, and what a
          person has to judge.
        """),
        ("selector", "Only this part of the page"),
        {"selector": ', selector:"{}"'},
    ),
    "what-changed": Prompt(
        "What changed?",
        "Compare the page with how it was: its look, speed and accessibility",
        "Find out what has changed on the page in my browser{baseline}.",
        steps("""
        - analyze(action:"regression", scope:"list") has the baselines. If this page has none, keep one now by
          analyze(action:"regression", scope:"baseline", wait_s:50), and tell me that changes are seen from
          now on.
        - analyze(action:"regression", scope:"compare"{name}, wait_s:50): the verdict, metrics, findings, and
          the picture explained element by element. PILOT
        - For each change name the commit or the line that made it, where the code shows that. Say which were
          meant and which were not; a verdict `inconclusive` is neither.
        """),
        ("baseline", "The name of the baseline"),
        {"baseline": ' since the baseline "{}"', "name": ', name:"{}"'},
    ),
}


class Prompts:
    """The prompts, which are every session's."""

    async def list(self, _context: Any, _params: Any) -> types.ListPromptsResult:  # noqa: ANN401 - the SDK's own types
        """List the prompts."""
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    title=prompt.title,
                    description=prompt.description,
                    arguments=[types.PromptArgument(name=prompt.argument[0], description=prompt.argument[1])],
                )
                for name, prompt in PROMPTS.items()
            ]
        )

    async def get(self, _context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:  # noqa: ANN401 - the same
        """Give a prompt as the message of a user."""
        prompt = PROMPTS.get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt {params.name[:80]!r}: {', '.join(PROMPTS)}.")
        given, (argument, _) = params.arguments or {}, prompt.argument
        if unknown := set(given) - {argument}:
            raise MCPError(types.INVALID_PARAMS, f"{params.name} has no argument {min(unknown)[:80]!r}: {argument}.")
        value = " ".join(given.get(argument, "").split())[:QUOTED_CHARS].replace('"', "'")
        text = "\n".join([prompt.task, *(f"{number}. {step}" for number, step in enumerate(prompt.steps, 1))])
        for name, sentence in prompt.sentences.items():
            text = text.replace(f"{{{name}}}", sentence.format(value) if value else "")
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(
            description=prompt.description, messages=[types.PromptMessage(role="user", content=content)]
        )
