package dev.medley.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TerminalTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Terminal terminal(Screen screen) {
        return new Terminal(new PrintWriter(out), new PrintWriter(err), screen);
    }

    @Test
    void shouldBeSilentWhereNobodyWatches() {
        Terminal terminal = terminal(Screen.NONE);
        terminal.live("step 1");
        terminal.print(terminal.styled("red", "a result"));
        terminal.endLive();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).isEqualTo("a result" + System.lineSeparator());
    }

    @Test
    void shouldDrawTheLiveLineAnewAroundOthers() {
        Terminal terminal = terminal(new Screen(true, true, true, 20));
        terminal.live("step 1 of very, very many");
        terminal.say("said");
        terminal.endLive();
        assertThat(err.toString())
                .isEqualTo(
                        "\r\u001b[Kstep 1 of very, ver\r\u001b[Ksaid%nstep 1 of very, ver\r\u001b[K"
                                .formatted());
        assertThat(terminal.styled("red", "x")).contains("\u001b[31m");
    }

    @Test
    void shouldKnowThatATestIsNoTerminal() {
        assertThat(Screen.detect().hasColours()).isFalse();
    }
}
