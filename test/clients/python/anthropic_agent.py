"""An agent of two calls with the Anthropic client."""

from scenario import INSTRUCTIONS, TOOL_SCHEMA, get_weather


def messages_agent(client, question):
    messages = [{"role": "user", "content": question}]
    tools = [
        {
            "name": "get_weather",
            "description": "The weather of a city",
            "input_schema": TOOL_SCHEMA,
        }
    ]
    while True:
        response = client.messages.create(
            model="claude-sonnet-4-6",
            max_tokens=500,
            system=INSTRUCTIONS,
            messages=messages,
            tools=tools,
        )
        uses = [block for block in response.content if block.type == "tool_use"]
        if not uses:
            return response.content[0].text
        messages.append(
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": use.id, "name": use.name, "input": use.input}
                    for use in uses
                ],
            }
        )
        results = [
            {"type": "tool_result", "tool_use_id": use.id, "content": get_weather(**use.input)}
            for use in uses
        ]
        messages.append({"role": "user", "content": results})
