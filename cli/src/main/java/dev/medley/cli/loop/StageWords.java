package dev.medley.cli.loop;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.state.LoopRun;

/** Tells people of stages as they go. */
final class StageWords implements StageRunner.Listener {
    private final Terminal terminal;
    private final JsonOption json;
    private String stage = "";

    /** Says nothing where JSON is asked for. */
    StageWords(Terminal terminal, JsonOption json) {
        this.terminal = terminal;
        this.json = json;
    }

    @Override
    public void began(LoopRun run, boolean isTakenUp) {
        if (!json.isAsked()) {
            String how =
                    isTakenUp
                            ? "is taken up, it began " + LoopOption.time(run.beganMs())
                            : "begins";
            terminal.print("run %d %s".formatted(run.number(), how));
        }
    }

    @Override
    public void stage(String name) {
        stage = name;
        terminal.live(name);
    }

    @Override
    public void progress(String text) {
        terminal.live(stage + "  " + text);
    }

    @Override
    public void ended(String name, StageEnd end) {
        terminal.endLive();
        if (!json.isAsked()) {
            terminal.print("%-16s %s".formatted(name, end.why()));
        }
    }
}
