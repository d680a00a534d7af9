// A client of the socket that shares no code with ours: npm's ws. It prints what happens as lines of JSON and obeys lines on its input.
//
//   node client.mjs <folder with node_modules> <url> <headers as JSON>
//
// Prints {"open": true}, {"frame": …} and {"closed": code}.
// Obeys {"json": value} and {"close": true}; the end of its input closes the socket too.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [folder, url, headers] = process.argv.slice(2);
const WebSocket = createRequire(`${folder}/`)("ws");
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

const socket = new WebSocket(url, { headers: JSON.parse(headers), perMessageDeflate: true });
socket.on("open", () => say({ open: true }));
socket.on("message", (data) => say({ frame: JSON.parse(data.toString()) }));
socket.on("error", (error) => process.stderr.write(`${error}\n`));
socket.on("close", (code) => {
  say({ closed: code });
  process.exit();
});

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const order = JSON.parse(line);
    if (order.close) socket.close();
    else socket.send(JSON.stringify(order.json));
  })
  .on("close", () => socket.terminate());
