package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.terminal.Screen;
import dev.medley.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The help of every command, and of those below it, is formatted as it is written. A bare percent
 * sign is a format of its own: picocli warns on the screen, and prints what it got.
 */
@Tag("unit")
class HelpTest {
    private final List<String> wrong = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    @Test
    void shouldBeFormattedForEveryCommand() {
        PrintWriter out = new PrintWriter(new StringWriter());
        look(Commands.line(new Terminal(out, out, Screen.NONE)));
        assertThat(wrong).isEmpty();
        assertThat(seen)
                .hasSizeGreaterThan(40)
                .contains("medley models split", "medley models canary", "medley serve");
    }

    private void look(CommandLine line) {
        String name = line.getCommandSpec().qualifiedName();
        if (!seen.add(name)) {
            return; // Under another name.
        }
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        for (String[] each :
                List.of(
                        usage.header(),
                        usage.description(),
                        usage.footer(),
                        usage.customSynopsis())) {
            formatted(name, each);
        }
        for (ArgSpec each : line.getCommandSpec().args()) {
            formatted(name + " " + each.paramLabel(), written(each));
        }
        String text = line.getUsageMessage(CommandLine.Help.Ansi.OFF);
        text.lines()
                .filter(each -> each.length() > 100 || each.contains("${") || each.contains("%n"))
                .forEach(each -> wrong.add(name + ": " + each));
        line.getSubcommands().values().forEach(this::look);
    }

    /** As it stands at the field: what the specification gives is formatted already. */
    private static String[] written(ArgSpec each) {
        if (!(each.userObject() instanceof AnnotatedElement field)) {
            return new String[0];
        }
        Option option = field.getAnnotation(Option.class);
        Parameters parameters = field.getAnnotation(Parameters.class);
        if (option != null) {
            return option.description();
        }
        return parameters == null ? new String[0] : parameters.description();
    }

    private void formatted(String where, String... texts) {
        for (String text : texts) {
            try {
                String unused = String.format(text);
            } catch (IllegalFormatException e) {
                wrong.add("%s: %s: %s".formatted(where, text, e));
            }
        }
    }
}
