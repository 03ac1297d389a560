// What the page asks the server, as JSON: the answer has a `status` if it is a refusal, and says why.
const NO_ANSWER = "The server does not answer.";

const post = async (path, values) => {
  try {
    const response = await fetch(path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(values),
    });
    const told = await response.json();
    return response.ok ? told : { ...told, status: response.status };
  } catch {
    return { refused: NO_ANSWER, status: 0 };
  }
};
