"""A model that calls tools by a script, over the APIs that assistants speak, and keeps what they pass on to it.

It serves Anthropic's Messages, OpenAI's Responses and Chat Completions, and Gemini's generateContent, as streams. Which
call comes next is seen from how many results a request has: an assistant sends the whole conversation each time.
"""

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, NamedTuple

from aiohttp import web

Json = dict[str, Any]
Event = tuple[str, Json | str]
"""The name of an event of a stream, empty for none, and its data."""

LARGEST: Final = 1 << 28
GOODBYE: Final = "That is all."
USAGE: Final = {"input_tokens": 1, "output_tokens": 1}


class Call(NamedTuple):
    """A call that the script makes; `tool` is named as Gasoline does."""

    tool: str
    arguments: Json


class Result(NamedTuple):
    """What an assistant passed on of one call's result."""

    text: str
    images: int


class Seen(NamedTuple):
    """What a request has: the tools by the names that the assistant gives them, and the results so far."""

    tools: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()


class ScriptedModel:
    """`last`: what the last request had that offered tools; `told`: the bytes of all that it told the model."""

    def __init__(self, script: list[Call]) -> None:
        self._script = script
        self.last = Seen()
        self.told = ""

    def next(self, body: Json, seen: Seen) -> tuple[str, Call] | None:
        """Keep a request, and give the call that answers it, with the assistant's name of the tool; None at the end."""
        if not seen.tools:
            return None
        self.last, self.told = seen, json.dumps(body, ensure_ascii=False)
        if len(seen.results) >= len(self._script):
            return None
        call = self._script[len(seen.results)]
        return next((name, call) for name in seen.tools if name.endswith(call.tool))


def _texts(parts: list[Json], image: str) -> Result:
    """Read content that is a list of parts."""
    return Result("".join(part.get("text", "") for part in parts), sum(part.get("type") == image for part in parts))


class Messages:
    """Anthropic's Messages API."""

    path = "/v1/messages"

    @staticmethod
    def seen(body: Json) -> Seen:
        """Read a request."""
        said = [part for one in body["messages"] if isinstance(one["content"], list) for part in one["content"]]
        results = [part["content"] for part in said if part["type"] == "tool_result"]
        return Seen(
            tuple(one["name"] for one in body.get("tools", ())),
            tuple(Result(one, 0) if isinstance(one, str) else _texts(one, "image") for one in results),
        )

    @staticmethod
    def answer(body: Json, called: tuple[str, Call] | None, number: int) -> list[Event]:
        """Give the events of an answer."""
        block: Json = {"type": "text", "text": ""}
        delta: Json = {"type": "text_delta", "text": GOODBYE}
        if called:
            block = {"type": "tool_use", "id": f"toolu_{number:04d}", "name": called[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(called[1].arguments)}
        head = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body["model"], "content": []}
        message = head | {"stop_reason": None, "stop_sequence": None, "usage": USAGE}
        end = {"stop_reason": "tool_use" if called else "end_turn", "stop_sequence": None}
        events: list[Json] = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]
        return [(event["type"], event) for event in events]


class Responses:
    """OpenAI's Responses API; tools of a server stand in a namespace, which a call repeats."""

    path = "/v1/responses"

    @staticmethod
    def seen(body: Json) -> Seen:
        """Read a request."""
        tools = [tool for tool in body.get("tools", ()) if "name" in tool]
        outputs = [one["output"] for one in body["input"] if one.get("type") == "function_call_output"]
        return Seen(
            tuple(f"{tool['name']}/{one['name']}" for tool in tools for one in tool.get("tools", ())),
            tuple(Result(one, 0) if isinstance(one, str) else _texts(one, "input_image") for one in outputs),
        )

    @staticmethod
    def answer(body: Json, called: tuple[str, Call] | None, number: int) -> list[Event]:
        """Give the events of an answer."""
        content = [{"type": "output_text", "text": GOODBYE, "annotations": []}]
        item: Json = {"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": content}
        if called:
            namespace, _, name = called[0].partition("/")
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "status": "completed"}
            item |= {"name": name, "namespace": namespace, "arguments": json.dumps(called[1].arguments)}
        done = {"id": f"resp_{number}", "object": "response", "status": "completed", "model": body["model"]}
        done |= {"output": [item], "usage": USAGE | {"total_tokens": 2}}
        events: list[Json] = [
            {"type": "response.created", "response": done | {"status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": done},
        ]
        return [(event["type"], event) for event in events]


class ChatCompletions:
    """OpenAI's Chat Completions API; a tool's result is text, and its picture follows in a message of the user's."""

    path = "/v1/chat/completions"

    @staticmethod
    def seen(body: Json) -> Seen:
        """Read a request."""
        results: list[Result] = []
        for one in body["messages"]:
            if one["role"] == "tool":
                results.append(Result(str(one["content"]), 0))
            elif one["role"] == "user" and isinstance(one["content"], list) and results:
                pictures = _texts(one["content"], "image_url").images
                results[-1] = Result(results[-1].text, results[-1].images + pictures)
        return Seen(tuple(one["function"]["name"] for one in body.get("tools", ())), tuple(results))

    @staticmethod
    def answer(body: Json, called: tuple[str, Call] | None, number: int) -> list[Event]:
        """Give the events of an answer."""
        delta: Json = {"role": "assistant", "content": GOODBYE}
        if called:
            function = {"name": called[0], "arguments": json.dumps(called[1].arguments)}
            call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
            delta = {"role": "assistant", "tool_calls": [call]}
        head = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
        end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if called else "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        said = {"index": 0, "delta": delta, "finish_reason": None}
        return [("", head | {"choices": [said]}), ("", head | {"choices": [end], "usage": usage}), ("", "[DONE]")]


class GenerateContent:
    """Gemini's generateContent."""

    path = "/{version}/models/{method:.*}"

    @staticmethod
    def seen(body: Json) -> Seen:
        """Read a request."""
        results: list[Result] = []
        for part in [part for one in body["contents"] for part in one.get("parts", ())]:
            if "functionResponse" in part:
                response = part["functionResponse"]["response"]
                results.append(Result(str(response.get("output") or response.get("error") or ""), 0))
            elif "inlineData" in part and results:
                results[-1] = Result(results[-1].text, results[-1].images + 1)
        groups = body.get("tools", ())
        return Seen(tuple(one["name"] for group in groups for one in group["functionDeclarations"]), tuple(results))

    @staticmethod
    def answer(_body: Json, called: tuple[str, Call] | None, _number: int) -> list[Event]:
        """Give the one event of an answer."""
        part: Json = {"text": GOODBYE}
        if called:
            part = {"functionCall": {"name": called[0], "args": called[1].arguments}}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        return [("", {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 2}, "modelVersion": "scripted"})]


Api = type[Messages | Responses | ChatCompletions | GenerateContent]
APIS: Final[tuple[Api, ...]] = (Messages, Responses, ChatCompletions, GenerateContent)


@contextlib.asynccontextmanager
async def serving(model: ScriptedModel) -> AsyncIterator[str]:
    """Serve a model on a free port, and give its address."""
    app = web.Application(client_max_size=LARGEST)
    app.add_routes([web.post(api.path, _handler(model, api)) for api in APIS])
    app.add_routes([web.route("*", "/{rest:.*}", _nothing)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def _handler(model: ScriptedModel, api: Api) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        seen = api.seen(body)
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(request)
        for name, event in api.answer(body, model.next(body, seen), len(seen.results)):
            text = event if isinstance(event, str) else json.dumps(event)
            await stream.write(f"event: {name}\ndata: {text}\n\n".encode() if name else f"data: {text}\n\n".encode())
        await stream.write_eof()
        return stream

    return handle


async def _nothing(_request: web.Request) -> web.Response:
    """Answer what an assistant asks beside its model: there is none of it."""
    return web.json_response({"data": [], "models": []})
