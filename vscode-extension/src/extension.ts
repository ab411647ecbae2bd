import * as vscode from "vscode";
import { registerCommands } from "./commands/register";
import { isPython } from "./debug/python";
import { relay } from "./debug/relay";
import { type StopNotification, Stops } from "./debug/stops";
import { watchSessions } from "./debug/tracker";
import { Server } from "./server/server";
import { connector, sayFailure } from "./server/start";
import { StatusLine } from "./statusBar";
import { GradientsView, VIEW_ID } from "./views/gradients";
import { Introduction } from "./views/introduction";
import { ViewOptions } from "./views/options";
import { shades } from "./views/shades";

/** Puts the parts together. Nothing runs before the first debug session or the first look. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("GradPeek", { log: true });
  const options = new ViewOptions(context.workspaceState);
  const status = new StatusLine();
  const stops = new Stops((notification) => onStop(notification));
  const watched = watchSessions(stops, () => options.console, log);
  const server = new Server(
    connector({
      extensionPath: context.extensionPath,
      viewId: VIEW_ID,
      log,
      session: () => watched.sessions.preferred,
    }),
    {
      evaluate: (params) =>
        relay(params, stops.at(params.session), watched.sessions.get(params.session)),
      changed: ({ nodes }) => view.refresh(nodes),
      status: (params) => status.show(params),
    },
    log,
  );
  let hasStopped = false;
  const view = new GradientsView(
    server,
    { sessions: () => watched.sessions.count, hasStopped: () => hasStopped },
    log,
  );

  const introduction = new Introduction(context.globalState, () => view.open());
  const configure = () => server.notify("configure", options.options(view.visible));
  const onStop = ({ name, params }: StopNotification) => {
    if (name === "stopped") {
      hasStopped = true;
      server.retry();
      if (isPython(params.debugger)) void introduction.stopped();
      // Nobody looks and nothing is to be put into the debuggee: then there is nothing to do.
      if (view.visible || (options.console && isPython(params.debugger))) server.start();
    }
    // What that changes in the tree the server says, as it does of all that it is told.
    if (server.running) server.notify(name, params);
    else view.refresh();
  };

  context.subscriptions.push(
    log,
    options,
    status,
    watched,
    server,
    view,
    vscode.window.registerFileDecorationProvider(shades),
    registerCommands({ server, view, log }, options),
    server.onDidStart(() => {
      configure();
      for (const { name, params } of stops.current()) server.notify(name, params);
    }),
    server.onDidFail((error) => {
      status.hide();
      view.refresh();
      void sayFailure(error, log);
    }),
    options.onDidChange(configure),
    view.onDidChangeVisibility(() => {
      configure();
      if (view.visible) void introduction.seen();
      if (view.visible && !server.running) view.refresh();
    }),
    watched.onDidChangeSessions(() => {
      // The first stop then finds it running.
      const session = watched.sessions.preferred;
      if (view.visible && session !== undefined && isPython(session.type)) server.start();
      view.refresh();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      server.retry();
      view.refresh();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("gradpeek.server.python")) server.retry();
    }),
  );
  watched.lookAround();
}
