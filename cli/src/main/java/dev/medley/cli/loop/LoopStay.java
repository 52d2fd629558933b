package dev.medley.cli.loop;

import dev.medley.base.ConfigException;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.continuous.RunningStanding;
import dev.medley.loop.continuous.StayPolicy;
import dev.medley.loop.run.Loop;
import dev.medley.loop.run.Staying;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stays with a loop whose model goes on learning between runs, until Ctrl-C. What fails is said,
 * and tried again when it is due next.
 */
final class LoopStay {
    private final Terminal terminal;
    private final JsonOption json;
    private final Loop opened;
    private String said = "";

    LoopStay(Terminal terminal, JsonOption json, Loop opened) {
        this.terminal = terminal;
        this.json = json;
        this.opened = opened;
    }

    int stay() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        try (Staying staying = opened.staying(new StageWords(terminal, json))) {
            StayPolicy.Turn turn;
            do {
                turn = staying.due();
                act(staying, turn.deed());
            } while (!never.await(turn.waitMs(), TimeUnit.MILLISECONDS));
        }
        throw new IllegalStateException("nobody ends it but by a signal");
    }

    private void act(Staying staying, StayPolicy.Deed deed) throws InterruptedException {
        try {
            switch (deed) {
                case RUN -> LoopRunCommand.print(terminal, json, opened, staying.run());
                case PUBLISH -> LoopRunCommand.print(terminal, json, opened, staying.publish());
                case LOOK -> say(staying.look(terminal::live));
                case WAIT -> terminal.endLive();
            }
        } catch (IOException | ConfigException e) {
            terminal.endLive();
            terminal.say("failed: %s; it is tried again".formatted(e.getMessage()));
        }
    }

    /** Says where the running model stands, once for all looks that find nothing new. */
    private void say(RunningStanding standing) {
        terminal.endLive();
        String words = standing.words().replaceAll("known until [^;]*; ", "");
        if (!words.equals(said) && !json.isAsked()) {
            said = words;
            terminal.print("%-16s %s".formatted("learn", standing.words()));
        }
    }
}
