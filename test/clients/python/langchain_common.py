"""An agent of LangChain, which is a graph of LangGraph."""

from langchain.agents import create_agent
from langchain.tools import tool
from langchain_openai import ChatOpenAI

from scenario import AGENT, INSTRUCTIONS, SESSION, TAG, USER, get_weather

agent = create_agent(
    ChatOpenAI(model="gpt-4o", max_retries=0),
    tools=[tool(get_weather)],
    system_prompt=INSTRUCTIONS,
    name=AGENT,
)


def ask(question):
    state = agent.invoke(
        {"messages": [{"role": "user", "content": question}]},
        config={
            "tags": [TAG],
            "metadata": {"session_id": SESSION, "user_id": USER},
        },
    )
    return state["messages"][-1].content
