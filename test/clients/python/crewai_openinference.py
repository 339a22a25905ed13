"""A crew of one agent; CrewAI calls models by the clients of their providers."""

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from openinference.instrumentation import using_attributes
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

from scenario import (
    AGENT,
    INSTRUCTIONS,
    MODEL_KEY,
    MODEL_URL,
    SESSION,
    TAG,
    USER,
    get_weather,
    tracing,
    turns,
)

provider = tracing()
CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
agent = Agent(
    role=AGENT,
    goal="Answer questions about the weather",
    backstory=INSTRUCTIONS,
    tools=[tool(get_weather)],
    llm=LLM(model="openai/gpt-4o", base_url=f"{MODEL_URL}/v1", api_key=MODEL_KEY, max_retries=0),
    max_iter=3,
    max_retry_limit=0,
)


def ask(question):
    task = Task(description=question, expected_output="One sentence", agent=agent)
    with using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return Crew(agents=[agent], tasks=[task]).kickoff().raw


turns(ask)
provider.shutdown()
