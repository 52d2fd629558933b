package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.state.StageOutcome;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example with a Salesforce: its org is compiled as its script does, and played. */
@Tag("real")
@Timeout(240)
class LeadsExampleTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "loop", "leads");

    @TempDir Path folder;

    @Test
    void scoresShouldGoBackIntoTheOrg() throws Exception {
        Path key = Files.createDirectories(folder.resolve("org")).resolve("key.pem");
        try (URLClassLoader classes = new URLClassLoader(new URL[] {compiled().toUri().toURL()})) {
            Object org =
                    classes.loadClass("LeadsOrg")
                            .getConstructor(int.class, Path.class)
                            .newInstance(0, key);
            try (AutoCloseable unused = (AutoCloseable) org) {
                UnaryOperator<String> team = team(org);
                Path file = loopFile(team.apply("url"));
                for (int week = 1; week <= 2; week++) {
                    assertThat(team.apply("week")).startsWith("week " + week);
                    try (Loop loop = new Loop(LoopFile.read(file), n -> null, Clock.system())) {
                        assertThat(loop.run("by hand", new GivenLoop.Quiet()).outcome())
                                .isEqualTo(StageOutcome.DONE);
                    }
                    String best = team.apply("best");
                    assertThat(best).startsWith("of the 50 open leads").contains("all 400 open");
                    int bought = Integer.parseInt(best.replaceAll(".*score (\\d+) will.*", "$1"));
                    assertThat(bought).as(best).isGreaterThan(35);
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static UnaryOperator<String> team(Object org) {
        return (UnaryOperator<String>) org;
    }

    private Path loopFile(String url) throws Exception {
        Files.copy(EXAMPLE.resolve("job.yaml"), folder.resolve("job.yaml"));
        String text = Files.readString(EXAMPLE.resolve("leads.yaml"));
        return Files.writeString(
                folder.resolve("leads.yaml"), text.replace("http://127.0.0.1:8123", url));
    }

    private Path compiled() {
        Path classes = folder.resolve("classes");
        String[] line = {
            "-proc:none",
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"),
            EXAMPLE.resolve("LeadsOrg.java").toString()
        };
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, line)).isZero();
        return classes;
    }
}
