// Starts `tamis lsp` for C files. Everything else is the server's.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const said = vscode.workspace.getConfiguration("tamis");
  const keys = ["check", "timeout", "memory", "property", "arguments"];
  return Object.fromEntries(keys.map((key) => [key, said.get(key)]));
}

async function start() {
  const command = vscode.workspace.getConfiguration("tamis").get("path");
  client = new LanguageClient(
    "tamis",
    "Tamis",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "c" }],
      initializationOptions: settings(),
      synchronize: {},
    },
  );
  await client.start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("tamis.checkThisFile", async () => {
      const editor = vscode.window.activeTextEditor;
      if (!editor || !client) return;
      await editor.document.save();
      await client.sendRequest("workspace/executeCommand", {
        command: "tamis.check",
        arguments: [client.code2ProtocolConverter.asUri(editor.document.uri)],
      });
    }),
    vscode.commands.registerCommand("tamis.restart", async () => {
      if (client) await client.stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("tamis") && client) {
        client.sendNotification("workspace/didChangeConfiguration", { settings: { tamis: settings() } });
      }
    }),
  );
  await start();
}

async function deactivate() {
  if (client) await client.stop();
}

module.exports = { activate, deactivate };
