"""An agent of the OpenAI Agents SDK."""

from agents import Agent, RunConfig, Runner, function_tool

from scenario import AGENT, INSTRUCTIONS, SESSION, TAG, USER, get_weather

agent = Agent(
    name=AGENT,
    instructions=INSTRUCTIONS,
    model="gpt-4o",
    tools=[function_tool(get_weather)],
)


def ask(question):
    config = RunConfig(
        workflow_name="weather",
        group_id=SESSION,
        trace_metadata={"user_id": USER, "tags": TAG},
    )
    return Runner.run_sync(agent, question, run_config=config).final_output
