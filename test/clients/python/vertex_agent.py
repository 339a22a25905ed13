"""An agent of two calls with Google's GenAI client at Vertex AI."""

from google import genai
from google.genai import types
from google.oauth2.credentials import Credentials

from scenario import INSTRUCTIONS, MODEL_KEY, MODEL_URL, TOOL_SCHEMA, get_weather


def vertex_client():
    return genai.Client(
        vertexai=True,
        project="weather-project",
        location="us-central1",
        credentials=Credentials(token=MODEL_KEY),
        http_options=types.HttpOptions(base_url=MODEL_URL),
    )


def gemini_agent(client, question):
    declaration = types.FunctionDeclaration(
        name="get_weather",
        description="The weather of a city",
        parameters_json_schema=TOOL_SCHEMA,
    )
    config = types.GenerateContentConfig(
        system_instruction=INSTRUCTIONS,
        tools=[types.Tool(function_declarations=[declaration])],
    )
    contents = [types.Content(role="user", parts=[types.Part(text=question)])]
    while True:
        response = client.models.generate_content(
            model="gemini-2.5-flash", contents=contents, config=config
        )
        if not response.function_calls:
            return response.text
        contents.append(response.candidates[0].content)
        results = [
            types.Part.from_function_response(
                name=call.name, response={"result": get_weather(**call.args)}
            )
            for call in response.function_calls
        ]
        contents.append(types.Content(role="user", parts=results))
