"""Opening models: addresses, keys, local files and what ``town models`` tells."""

import builtins
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sim.errors import ModelError
from sim.models import open_model
from sim.models.address import OPENAI, base_urls, key_for, without_login, without_secrets
from sim.models.health import probe
from sim.models.llamacpp import guide, limit_sizes
from sim.models.request import Request
from sim.offline import OfflineModel
from sim.scenario import ModelSettings
from tests.stub_server import Answer, Call, StubServer, chat, error, vectors


@pytest.mark.parametrize("key", ["sk-abc\n", " sk-abc ", "\tsk-abc"])
def test_white_space_around_a_key_is_trimmed(key: str) -> None:
    """Copying a key often brings a newline along (fault SE-10)."""
    assert key_for([OPENAI], None, {"OPENAI_API_KEY": key}) == "sk-abc"


@pytest.mark.parametrize("key", ["sk-zoë", "sk-a bc", "sk-a\nbc", "sk-\x00"])
def test_a_key_that_cannot_be_one_is_refused_unseen(key: str) -> None:
    """One line, without the key (fault SE-10)."""
    with pytest.raises(ModelError, match="OPENAI_API_KEY cannot be one: its character") as raised:
        open_model(ModelSettings(chat="m"), api_key=key, environment={})
    assert "sk-" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_only_openai_needs_a_key() -> None:
    """A local server is asked without one (fault PK-05)."""
    with pytest.raises(ModelError, match="OPENAI_API_KEY, or name another server with --base-url"):
        key_for([OPENAI], None, {})
    assert key_for(["http://localhost:8000/v1"], None, {})


def test_addresses_come_from_settings_environment_or_openai() -> None:
    """The settings go first; each address counts once."""
    there = {"OPENAI_BASE_URL": "http://there/v1/"}
    assert base_urls(("http://a/v1", "http://b/v1", "http://a/v1/"), there) == ("http://a/v1", "http://b/v1")
    assert base_urls((), there) == ("http://there/v1",)
    assert base_urls((), {}) == (OPENAI,)


@pytest.mark.parametrize(
    ("given", "used"),
    [("http://a/v1/chat/completions", "http://a/v1"), ("http://a/v1/embeddings/", "http://a/v1"),
     ("http://a/v1beta/openai/chat/completions", "http://a/v1beta/openai"), ("http://a/v1/models", "http://a/v1"),
     ("http://a/gpt-4o/chat/completions?api-version=2024-06-01", "http://a/gpt-4o?api-version=2024-06-01")],
)  # fmt: skip
def test_a_whole_endpoint_that_was_pasted_is_understood(given: str, used: str) -> None:
    """What the client adds to an address by itself is taken off."""
    assert base_urls((given,), {}) == (used,)


def test_azures_classic_address_gets_its_version_and_its_header() -> None:
    """The version stays in the query of each request, and the key goes into ``api-key`` only."""
    with StubServer(lambda _: chat("8")) as server:
        base = f"{server.url}/openai/deployments/gpt-4o?api-version=2024-06-01"
        settings = ModelSettings(chat="gpt-4o", base_url=(base,))
        with closing(open_model(settings, api_key="marked-key-77", environment={})) as model:
            assert model.reply(Request("Ada", "importance_rating", {}, ({"role": "user", "content": "?"},))).text == "8"
    (call,) = server.calls
    assert call.path == "/v1/openai/deployments/gpt-4o/chat/completions?api-version=2024-06-01"
    assert call.headers["api-key"] == "marked-key-77"
    assert "authorization" not in call.headers


@pytest.mark.parametrize("path", ["/v1", "/v1beta/openai", "/openai"])
def test_an_address_that_looks_right_gets_no_hint_to_lengthen_it(path: str) -> None:
    """``/v1`` is advised only where no version stands yet."""
    with StubServer(lambda _: error(404, "Not Found")) as server:
        text = told(ModelSettings(chat="m", base_url=(server.url.removesuffix("/v1") + path,)))
    assert "correct --base-url" in text
    assert "most likely" not in text


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "ftp://x/v1", "http://", "http://a b/v1", "http://a:99999", "hello"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    """One sentence, with how to write it (fault LQ-13)."""
    with pytest.raises(ModelError, match=r"is no web address \(write it as http://"):
        open_model(ModelSettings(chat="m", base_url=(url,)), environment={})


def test_addresses_and_words_are_shown_without_secrets() -> None:
    """User, password and query stay out of messages, and so does whatever looks like a key."""
    assert without_login("http://me:secret@host:1/v1?token=3") == "http://host:1/v1"
    assert without_secrets("no sk-proj-abc123 and\nmine-is-this", "mine-is-this") == "no [key] and [key]"


def test_the_offline_model_needs_nothing() -> None:
    """No client is made for it."""
    assert isinstance(open_model(ModelSettings(), environment={"OPENAI_API_KEY": "ü"}), OfflineModel)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """Before anything is loaded."""
    with pytest.raises(ModelError, match=r"there is no file .*x\.gguf"):
        open_model(ModelSettings(chat=str(tmp_path / "x.gguf")), environment={})


def test_a_missing_package_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install (fault PK-07)."""
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name == "xllamacpp":
            raise ImportError(name)
        return real(name, *args, **more)

    (tmp_path / "x.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModelError, match=r"pip install 'townsfolk\[local\]'"):
        open_model(ModelSettings(chat=str(tmp_path / "x.gguf")), environment={})


def test_a_base_model_is_told_where_to_stop() -> None:
    """Texts and lists get a longest length, ratings a form; temperature is 0 unless asked for."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {}}}}
    tight = limit_sizes(schema)
    assert tight["properties"]["a"]["maxLength"] > 0
    assert tight["properties"]["b"]["maxItems"] > 0
    assert guide(Request("Ada", "x", {}, (), schema, {})).sampling == {"temperature": 0.0}
    assert guide(Request("Ada", "x", {}, (), schema, {"temperature": 1})).sampling == {"temperature": 1}


# town models


def told(settings: ModelSettings, **more: Any) -> str:
    return "\n".join(probe(settings, environment=more.pop("environment", {}), **more))


def test_the_probe_says_what_each_model_can_do() -> None:
    """A call to each, the format it takes, whether it counts tokens, and the size of vectors."""

    def behave(call: Call) -> Answer:
        if call.path.endswith("/embeddings"):
            return vectors([1.0, 2.0, 3.0])
        if "response_format" in call.body:
            return error(400, "no response_format here")
        return chat('{"ready": true}', usage={})

    with StubServer(behave) as server:
        text = told(ModelSettings(chat="large", rate="small", embed="e", base_url=(server.url,)))
    assert "large (talks, plans, acts): answers in" in text
    assert "small (rates memories): answers in" in text
    assert "replies can be read, asked for as plain text, tells no tokens used" in text
    assert text.endswith("embeddings: e, 3 numbers")


def test_the_probe_of_a_plain_installation_needs_no_key() -> None:
    """Everything here is packaged (fault PK-05)."""
    text = told(ModelSettings())
    assert "offline (all calls): answers by rule" in text
    assert "packaged" in text


@pytest.mark.parametrize(
    ("answer", "fix"),
    [(error(404, "404 page not found"), "/v1"), (Answer("<html>Ollama is running</html>"), "/v1"),
     (error(401, "no key"), "OPENAI_API_KEY"), (error(404, "model 'm' not found, try pulling it"), "--model")],
    ids=["no /v1", "web page", "key", "model"],
)  # fmt: skip
def test_the_probe_says_what_to_change(answer: Answer, fix: str) -> None:
    """Wrong path, web page, key or model: one line with the fix (faults LQ-13, SE-10)."""
    with StubServer(lambda _: answer) as server:
        text = told(ModelSettings(chat="m", base_url=(server.url.removesuffix("/v1"),)))
    line = next(line for line in text.splitlines() if line.startswith("m ("))
    assert "does not answer" in line
    assert fix in line


def test_the_probe_goes_on_after_a_bad_key() -> None:
    """Each line stands for itself, and none shows the key."""
    text = told(ModelSettings(chat="m"), api_key="sk-zoë")
    assert "to mend: the key in OPENAI_API_KEY cannot be one" in text
    assert "embeddings: " in text
    assert "sk-" not in text
