// A client of the socket that shares no code with ours: npm's ws. It prints what happens as lines of JSON and obeys lines on its input.
//
//   node client.mjs <folder with node_modules> <url> <headers as JSON>
//
// Prints {"open": true}, {"frame": …}, {"refused": status, "body": …} and {"closed": code}.
// Obeys {"send": text}, {"json": value}, with "times" as often as that says, and {"close": true}; the end of its input closes the socket too.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [folder, url, headers] = process.argv.slice(2);
const WebSocket = createRequire(`${folder}/`)("ws");
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

const socket = new WebSocket(url, { headers: JSON.parse(headers), perMessageDeflate: true });
socket.on("open", () => say({ open: true }));
socket.on("message", (data) => say({ frame: JSON.parse(data.toString()) }));
socket.on("unexpected-response", (_request, response) => {
  let body = "";
  response.on("data", (chunk) => (body += chunk));
  response.on("end", () => {
    say({ refused: response.statusCode, body: JSON.parse(body) });
    process.exit();
  });
});
socket.on("error", (error) => process.stderr.write(`${error}\n`));
socket.on("close", (code) => {
  say({ closed: code });
  process.exit();
});

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const order = JSON.parse(line);
    if (order.close) socket.close();
    else for (let i = 0; i < (order.times ?? 1); i++) socket.send(order.send ?? JSON.stringify(order.json));
  })
  .on("close", () => socket.terminate());
