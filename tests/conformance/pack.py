"""What the official conformance suite expects a server to have, as tools, resources and prompts of our own front.

Rules of this file:
- A tool stands in the front's own table, so it is listed and its arguments are checked as every other tool's are.
- What the pack does not have is answered by the front itself: the suite sees the real server wherever it can.
- Names, texts and schemas are the suite's (`@modelcontextprotocol/conformance`, the descriptions of its scenarios).
"""

import asyncio
import hashlib
import hmac
import json
import secrets
import warnings
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import mcp_types as types
import msgspec
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError

from gasoline_bridge.front import arguments
from gasoline_bridge.front.jobs import Run
from gasoline_bridge.front.mcp_server import TOOL_LIST, Session, listed
from gasoline_bridge.front.prompts import Prompts
from gasoline_bridge.front.protocol_tasks import is_declared, require_declared
from gasoline_bridge.front.replies import error
from gasoline_bridge.front.resources import Resources
from gasoline_bridge.front.subscriptions import Subscriptions
from gasoline_bridge.front.tools import TOOLS, Tool
from gasoline_broker.errors import Failed, Failure

IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
AUDIO = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="
PAUSE_S = 0.05  # between two notifications; the suite's own figure
KEY = secrets.token_bytes(32)  # of the states that clients hand back
MISSING_CAPABILITY = -32021  # MissingRequiredClientCapability, since 2026-07-28

Params = types.CallToolRequestParams
Answer = types.CallToolResult | types.InputRequiredResult | dict[str, Any]


class Empty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of the conformance suite."""


class Sampled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of the conformance suite."""

    prompt: str


class Elicited(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of the conformance suite."""

    message: str


class Greeted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of the conformance suite."""

    name: str


class Computed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of the conformance suite."""

    seconds: float
    label: str = ""


class Asked(NamedTuple):
    """A call of a tool of the pack."""

    session: "PackSession"
    context: Any
    params: Params
    arguments: Any

    @property
    def responses(self) -> dict[str, Any]:
        return dict(self.params.input_responses or {})

    @property
    def capabilities(self) -> types.ClientCapabilities:
        return self.context.session.client_capabilities or types.ClientCapabilities()


Handler = Callable[[Asked], Awaitable[Answer]]


def text(said: str) -> types.TextContent:
    return types.TextContent(type="text", text=said)


def result(*content: Any, failed: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[*content], is_error=failed)


def embedded(uri: str, mime_type: str, body: str) -> types.EmbeddedResource:
    contents = types.TextResourceContents(uri=uri, mime_type=mime_type, text=body)
    return types.EmbeddedResource(type="resource", resource=contents)


IMAGE_CONTENT = types.ImageContent(type="image", data=IMAGE, mime_type="image/png")
AUDIO_CONTENT = types.AudioContent(type="audio", data=AUDIO, mime_type="audio/wav")
MIXED = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
FIXED = {
    "test_simple_text": result(text("This is a simple text response for testing.")),
    "test_image_content": result(IMAGE_CONTENT),
    "test_audio_content": result(AUDIO_CONTENT),
    "test_embedded_resource": result(
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": result(text("Multiple content types test:"), IMAGE_CONTENT, MIXED),
    "test_error_handling": result(text("This tool intentionally returns an error for testing"), failed=True),
}


def fixed(answer: types.CallToolResult) -> Handler:
    async def handle(_asked: Asked) -> Answer:
        return answer

    return handle


async def log(asked: Asked, *said: str) -> None:
    """Send log messages on the stream of the call."""
    for one in said:
        with warnings.catch_warnings(action="ignore"):
            sending = asked.context.session.send_log_message("info", one, "test", asked.context.request_id)
        await sending
        await asyncio.sleep(PAUSE_S)


async def with_logging(asked: Asked) -> Answer:
    await log(asked, "Tool execution started", "Tool processing data", "Tool execution completed")
    return result(text("Three messages were sent."))


async def with_progress(asked: Asked) -> Answer:
    for done in (0, 50, 100):
        await asked.context.session.report_progress(done, 100, f"Step {done} of 100")
        await asyncio.sleep(PAUSE_S)
    return result(text("Progress was reported."))


async def reconnection(asked: Asked) -> Answer:
    await log(asked, "Before", "After")
    return result(text("Nothing was cut."))


async def greet(asked: Asked) -> Answer:
    return result(text(f"Hello, {asked.arguments.name}!"))


def task(work: Callable[[Any], Awaitable[dict[str, Any]]]) -> Handler:
    """Do the work as a job of the front's own, for a client that knows tasks."""

    async def handle(asked: Asked) -> Answer:
        if not is_declared(asked.context):
            return result(text(json.dumps(await work(asked.arguments))))
        run = Run(lambda _request: work(asked.arguments), lambda _request: work(asked.arguments))
        job = await asked.session.calls.jobs.begin({"tool": asked.params.name}, run)
        return asked.session.tasks.created(job, {})

    return handle


async def compute(asked: Computed) -> dict[str, Any]:
    await asyncio.sleep(asked.seconds)
    return {"status": "success", "computed": asked.label}


def only_as_task(handler: Handler) -> Handler:
    async def handle(asked: Asked) -> Answer:
        require_declared(asked.context)
        return await handler(asked)

    return handle


async def fail_later(_asked: Empty) -> dict[str, Any]:
    await asyncio.sleep(0.5)
    raise Failed(Failure("analysis_timeout", "This tool reports an error, as it was asked to."))


async def break_later(_asked: Empty) -> dict[str, Any]:
    raise ValueError("This tool breaks, as it was asked to.")


SAMPLING_ABSENT = result(text("The client has no sampling."), failed=True)
ELICITATION_ABSENT = result(text("The client has no elicitation."), failed=True)


async def sampling(asked: Asked) -> Answer:
    if asked.capabilities.sampling is None:
        return SAMPLING_ABSENT
    messages = [types.SamplingMessage(role="user", content=text(asked.arguments.prompt))]
    with warnings.catch_warnings(action="ignore"):
        sending = asked.context.session.create_message(
            messages=messages, max_tokens=100, related_request_id=asked.context.request_id
        )
    answered = await sending
    return result(text(f"LLM response: {answered.content.text}"))


def elicitation(said: str, properties: dict[str, Any], required: tuple[str, ...] = ()) -> Handler:
    """Make a tool that has the client ask its user; `said` begins the answer."""

    async def handle(asked: Asked) -> Answer:
        if asked.capabilities.elicitation is None:
            return ELICITATION_ABSENT
        message = getattr(asked.arguments, "message", "Please answer.")
        schema = {"type": "object", "properties": properties, "required": [*required]}
        answered = await asked.context.session.elicit_form(message, schema, asked.context.request_id)
        return result(text(f"{said}: action={answered.action}, content={json.dumps(answered.content or {})}"))

    return handle


USER = {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"},
}
DEFAULTS = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}


def titled(*titles: str) -> list[dict[str, str]]:
    return [{"const": f"value{number}", "title": title} for number, title in enumerate(titles, 1)]


ENUMS = {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": titled("First Option", "Second Option", "Third Option")},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": titled("First Choice", "Second Choice", "Third Choice")}},
}


def form(message: str, **properties: str) -> types.ElicitRequest:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": [*properties],
    }
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(prompt: str, most: int) -> types.CreateMessageRequest:
    messages = [types.SamplingMessage(role="user", content=text(prompt))]
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=messages, max_tokens=most))


NAME_FORM = form("What is your name?", name="string")
STEPS = {
    "step1": form("Step 1: What is your name?", name="string"),
    "step2": form("Step 2: What is your favorite color?", color="string"),
}


def sealed(state: str) -> str:
    """Give a state for the client to hand back, with a proof that it is ours."""
    return f"{state}.{hmac.new(KEY, state.encode(), hashlib.sha256).hexdigest()}"


def opened(state: str | None) -> str:
    """Give what was sealed, "" without a state.

    Raises:
        MCPError: it is not ours.

    """
    if state is None:
        return ""
    plain, _, _ = state.partition(".")
    if not hmac.compare_digest(sealed(plain), state):
        raise MCPError(types.INVALID_PARAMS, "The state is not one that was given.")
    return plain


def lacking(asked: Asked, requests: dict[str, Any]) -> dict[str, Any]:
    """Give the questions that the client has not answered as they are to be."""
    kinds = {
        "elicitation/create": types.ElicitResult,
        "sampling/createMessage": types.CreateMessageResult,
        "roots/list": types.ListRootsResult,
    }
    return {
        name: request
        for name, request in requests.items()
        if not isinstance(asked.responses.get(name), kinds[request.method])
    }


def inputs(requests: dict[str, Any], state: str = "") -> Handler:
    """Make a tool that answers once the client has answered its questions."""

    async def handle(asked: Asked) -> Answer:
        known = opened(asked.params.request_state)
        if lacking(asked, requests) or known != state:
            return types.InputRequiredResult(
                input_requests=lacking(asked, requests) or requests, request_state=sealed(state) if state else None
            )
        return result(text(f"{said_of(asked.responses)} {'state-ok' if state else ''}"))

    return handle


def said_of(responses: dict[str, Any]) -> str:
    """Put what a client has answered into one text."""
    said = []
    for answered in responses.values():
        match answered:
            case types.ElicitResult():
                said.append(f"Hello, {(answered.content or {}).get('name', 'you')}!")
            case types.CreateMessageResult(content=types.TextContent(text=sampled)):
                said.append(sampled)
            case types.ListRootsResult():
                said += [str(root.uri) for root in answered.roots]
            case _:
                pass
    return " ".join(said)


async def multi_round(asked: Asked) -> Answer:
    """Ask one question after the other; the state is the name of the one that was asked."""
    names = [*STEPS]
    step = opened(asked.params.request_state) or names[0]
    if asked.params.request_state is not None and not lacking(asked, {step: STEPS[step]}):
        if step == names[-1]:
            return result(text("All steps are done."))
        step = names[names.index(step) + 1]
    return types.InputRequiredResult(input_requests={step: STEPS[step]}, request_state=sealed(step))


async def by_capability(asked: Asked) -> Answer:
    """Ask only what the client says that it can answer."""
    able = {
        "user_name": (asked.capabilities.elicitation, NAME_FORM),
        "greeting": (asked.capabilities.sampling, sample("Generate a greeting", 50)),
    }
    requests = {name: request for name, (can, request) in able.items() if can is not None}
    return await inputs(requests)(asked) if requests else result(text("There is nothing to ask."))


async def needs_sampling(asked: Asked) -> Answer:
    if asked.capabilities.sampling is None:
        data: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_CAPABILITY, "The client lacks a capability that this needs: sampling.", data)
    return result(text("The client has sampling."))


def list_changed(event: Any) -> Handler:
    """Make a tool after which the clients that listen are notified, as if a list had changed."""

    async def handle(asked: Asked) -> Answer:
        await asked.session.subscriptions.publish(event)
        return result(text("Those who listen are notified."))

    return handle


PACK: dict[str, tuple[type[msgspec.Struct], Handler]] = {
    **{name: (Empty, fixed(answer)) for name, answer in FIXED.items()},
    "greet": (Greeted, greet),
    "slow_compute": (Computed, task(compute)),
    "failing_job": (Empty, only_as_task(task(fail_later))),
    "protocol_error_job": (Empty, task(break_later)),
    "test_tool_with_logging": (Empty, with_logging),
    "test_logging_tool": (Empty, with_logging),
    "test_tool_with_progress": (Empty, with_progress),
    "test_reconnection": (Empty, reconnection),
    "test_sampling": (Sampled, sampling),
    "test_elicitation": (Elicited, elicitation("User response", USER, ("username", "email"))),
    "test_elicitation_sep1034_defaults": (Empty, elicitation("Elicitation completed", DEFAULTS)),
    "test_elicitation_sep1330_enums": (Empty, elicitation("Elicitation completed", ENUMS)),
    "test_missing_capability": (Empty, needs_sampling),
    "test_streaming_elicitation": (Empty, inputs({"user_name": NAME_FORM})),
    "test_input_required_result_elicitation": (Empty, inputs({"user_name": NAME_FORM})),
    "test_input_required_result_sampling": (
        Empty,
        inputs({"capital_question": sample("What is the capital of France?", 100)}),
    ),
    "test_input_required_result_list_roots": (Empty, inputs({"client_roots": types.ListRootsRequest()})),
    "test_input_required_result_request_state": (
        Empty,
        inputs({"confirm": form("Please confirm", ok="boolean")}, "confirming"),
    ),
    "test_input_required_result_multiple_inputs": (
        Empty,
        inputs(
            {
                "user_name": NAME_FORM,
                "greeting": sample("Generate a greeting", 50),
                "client_roots": types.ListRootsRequest(),
            },
            "greeting",
        ),
    ),
    "test_input_required_result_multi_round": (Empty, multi_round),
    "test_input_required_result_tampered_state": (
        Empty,
        inputs({"confirm": form("Please confirm", ok="boolean")}, "confirming"),
    ),
    "test_input_required_result_capabilities": (Empty, by_capability),
    "test_trigger_tool_change": (Empty, list_changed(ToolsListChanged())),
    "test_trigger_prompt_change": (Empty, list_changed(PromptsListChanged())),
}

RESOURCES: dict[str, types.TextResourceContents | types.BlobResourceContents] = {
    "test://static-text": types.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
    ),
    "test://static-binary": types.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=IMAGE),
    "test://watched-resource": types.TextResourceContents(
        uri="test://watched-resource", mime_type="text/plain", text="Watched."
    ),
}
TEMPLATE = types.ResourceTemplate(name="data", uri_template="test://template/{id}/data", mime_type="application/json")


class PackResources(Resources):
    """The front's own resources, and those of the pack."""

    async def list(self, context: Any, params: Any) -> types.ListResourcesResult:
        own = await super().list(context, params)
        pack = [types.Resource(name=uri.removeprefix("test://"), uri=uri) for uri in RESOURCES]
        return types.ListResourcesResult(resources=[*own.resources, *pack], next_cursor=own.next_cursor)

    async def templates(self, context: Any, params: Any) -> types.ListResourceTemplatesResult:
        own = await super().templates(context, params)
        return types.ListResourceTemplatesResult(resource_templates=[*own.resource_templates, TEMPLATE])

    async def read(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri in RESOURCES:
            return types.ReadResourceResult(contents=[RESOURCES[uri]])
        if uri.startswith("test://template/"):
            number = uri.removeprefix("test://template/").removesuffix("/data")
            data = json.dumps({"id": number, "templateTest": True, "data": f"Data for ID: {number}"})
            contents = types.TextResourceContents(uri=uri, mime_type="application/json", text=data)
            return types.ReadResourceResult(contents=[contents])
        return await super().read(context, params)


class PackSubscriptions(Subscriptions):
    """The front's own subscriptions; a resource of the pack never changes."""

    async def subscribe(self, context: Any, params: types.SubscribeRequestParams) -> types.EmptyResult:
        return types.EmptyResult() if str(params.uri) in RESOURCES else await super().subscribe(context, params)

    async def publish(self, event: Any) -> None:
        await self._bus.publish(event)


def user(*content: Any) -> types.GetPromptResult:
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=one) for one in content])


PROMPTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


def in_context(answered: object) -> types.GetPromptResult | types.InputRequiredResult:
    """Give the prompt that needs an answer of the user."""
    if not isinstance(answered, types.ElicitResult):
        question = form("What context should the prompt use?", context="string")
        return types.InputRequiredResult(input_requests={"user_context": question})
    return user(text(f"In this context: {(answered.content or {}).get('context')}"))


class PackPrompts(Prompts):
    """The front's own prompts, and those of the pack."""

    async def list(self, context: Any, params: Any) -> types.ListPromptsResult:
        own = await super().list(context, params)
        pack = [
            types.Prompt(
                name=name,
                description="A prompt of the conformance suite.",
                arguments=[types.PromptArgument(name=one, required=True) for one in takes],
            )
            for name, takes in PROMPTS.items()
        ]
        return types.ListPromptsResult(prompts=[*own.prompts, *pack])

    async def get(self, context: Any, params: types.GetPromptRequestParams) -> Any:
        if params.name not in PROMPTS:
            return await super().get(context, params)
        given = params.arguments or {}
        match params.name:
            case "test_prompt_with_arguments":
                return user(text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"))
            case "test_prompt_with_embedded_resource":
                body = embedded(given["resourceUri"], "text/plain", "Embedded resource content for testing.")
                return user(body, text("Please process the embedded resource above."))
            case "test_prompt_with_image":
                return user(IMAGE_CONTENT, text("Please analyze the image above."))
            case "test_input_required_result_prompt":
                return in_context((params.input_responses or {}).get("user_context"))
            case _:
                return user(text("This is a simple prompt for testing."))


class PackSession(Session):
    """What answers one client: the front's own session, and before it the pack."""

    def __init__(self, calls: Any) -> None:
        super().__init__(calls)
        self.resources = PackResources(calls)
        self.subscriptions: PackSubscriptions = PackSubscriptions(calls)
        self.prompts = PackPrompts()

    async def call_tool(self, context: Any, params: Params) -> Answer:
        if params.name not in PACK:
            return await super().call_tool(context, params)
        _, handler = PACK[params.name]
        try:
            checked = arguments.read(params.name, params.arguments or {})
        except Failed as fault:
            return result(text(error(fault.failure).decode()), failed=True)
        return await handler(Asked(self, context, params, checked))


def load() -> None:
    """Put the tools of the pack into the front's table."""
    for name, (takes, _handler) in PACK.items():
        TOOLS[name] = Tool(takes, name)
        TOOL_LIST.append(listed(name, TOOLS[name]))
