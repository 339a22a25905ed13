"""An agent that uses the whole SDK; it prints the responses as JSON."""

import json
import threading

import svc_observe
from svc_observe import check_policy, get_prompt, in_context, observe, record_call

problems = []
svc_observe.init(capture_content=True, on_error=lambda error: problems.append(str(error)))


@observe(agent_name="py-tool", tags=["inner"])
def lookup(key):
    svc_observe.record_step("looked up", {"key": key})
    return {"stock": 3}


@observe(
    agent_name="py-support",
    workflow_name="triage",
    per_call=lambda question, user: {"session_id": "s-1", "user_id": user},
)
def answer(question, user):
    prompt = get_prompt("greeting")
    text = prompt.compile(name=user)
    record_call(
        model="gpt-4o",
        tokens_in=1000,
        tokens_out=500,
        prompt=prompt,
        prompt_preview=text,
        response_preview="ok",
    )
    svc_observe.current_run().record_tool(
        "search", tool_type="api", input={"q": question}, output=[1], duration_ms=12
    )
    svc_observe.record_decision(["a", "b"], "a", confidence=0.5)
    svc_observe.record_score("quality", 0.9, "fine")
    svc_observe.record_score("solved", True)
    svc_observe.record_event({"event_type": "escalated"})
    memory = svc_observe.memory("support:u-17")
    memory.write("notes", {"last": question})
    worker = threading.Thread(target=in_context(lookup), args=("k",))
    worker.start()
    worker.join()
    return {"notes": memory.read("notes")[0]["data"]}


@observe(agent_name="py-broken")
def broken():
    raise ValueError("no stock")


@observe(agent_name="py-forbidden", enforce_policy=True, inputs={"to": "ada@example.com"})
def forbidden():
    raise AssertionError("a blocked function was called")


result = answer("why", "u-17")
try:
    broken()
except ValueError:
    pass
try:
    forbidden()
    violation = None
except svc_observe.PolicyViolationError as error:
    violation = str(error)
allowed = check_policy("py-support").allowed
print(json.dumps({"result": result, "violation": violation, "allowed": allowed, "problems": problems}))
