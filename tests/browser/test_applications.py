"""A user's tasks on Django's administration and on Swagger UI: those that hold most. `make apps` does all, on eight."""

import asyncio

import pytest

from apps.applications import APPLICATIONS
from apps.install import install
from apps.ours import Ours
from apps.place import place
from apps.run import run_day
from apps.tasks import Result

Done = dict[tuple[str, str], tuple[Result, list[str]]]

CHOSEN = {
    "django": (
        "log_in_by_enter",
        "add_an_item_with_every_field",
        "read_which_fields_the_server_refuses",
        "choose_labels_and_take_one_back",
        "read_a_list_of_240_rows",
        "name_what_comes_after_a_slow_link",
    ),
    "swagger": (
        "create_a_note",
        "send_a_photo_and_type_its_caption_last",
        "ask_as_a_user",
        "save_a_file",
        "see_that_a_server_does_not_answer",
    ),
}


@pytest.fixture(scope="module")
async def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """Do the tasks, each in a tab of its own, with one system and one browser; install what is missing."""
    done: Done = {}

    def keep(result: Result, tools: Ours) -> None:
        done[result.application, result.task] = result, tools.log

    for name in CHOSEN:
        await asyncio.to_thread(install, name)
    async with place(tmp_path_factory.mktemp("saved")) as desk:
        for name, tasks in CHOSEN.items():
            application = APPLICATIONS[name]
            await run_day(application, desk, [application.day.tasks[task] for task in tasks], keep)
    return done


@pytest.mark.requirement("applications-059")
@pytest.mark.parametrize(("name", "task"), [(name, task) for name, tasks in CHOSEN.items() for task in tasks])
def test_a_users_task_is_done_and_reported_right(done: Done, name: str, task: str) -> None:
    result, calls = done[name, task]

    assert ("right", "") == (result.verdict, result.what), "\n".join(calls)
