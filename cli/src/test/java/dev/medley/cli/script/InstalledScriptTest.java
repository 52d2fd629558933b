package dev.medley.cli.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.script.Shell.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("real")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a script for sh")
class InstalledScriptTest {
    private static final String SCRIPT = "cli/src/main/distribution/bin/medley";

    @TempDir Path folder;
    private Path medley;

    @BeforeEach
    void install() throws IOException {
        medley = Shell.copy(SCRIPT, folder.resolve("medley 1/bin/medley"));
        Files.createDirectories(folder.resolve("medley 1/lib"));
        Files.writeString(folder.resolve("medley 1/lib/medley-cli-1.jar"), "jar");
        Files.writeString(folder.resolve("medley 1/lib/other.jar"), "jar");
        Files.writeString(folder.resolve("medley 1/lib/classes.list"), "a/B\n");
    }

    @Test
    void shouldRunTheMainClassWithTheUsersWords() throws Exception {
        Said said = with(jdk("17.0.1")).run(medley, "runs", "a b", "*");
        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).contains("[dev.medley.cli.Main][runs][a b][*]");
        assertThat(said.out()).contains("[-XX:TieredStopAtLevel=1]");
        assertThat(said.out()).contains("/lib/medley-cli-1.jar:").contains("/lib/other.jar]");
        assertThat(said.out()).doesNotContain("native-access");
    }

    @Test
    void shouldAllowNativeAccessFromJdk22On() throws Exception {
        assertThat(with(jdk("21.0.4")).run(medley, "doctor").out()).doesNotContain("native");
        assertThat(with(jdk("22")).run(medley, "doctor").out())
                .contains("[--enable-native-access=ALL-UNNAMED]");
    }

    @Test
    void shouldStartThroughALinkFromAnotherFolder() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), medley);
        Said said = with(jdk("17")).run("sh", "-c", "cd / && \"$0\" --version", link);
        assertThat(said.out()).contains("[dev.medley.cli.Main][--version]");
    }

    @Test
    void shouldAddTheUsersClassesAndOptions() throws Exception {
        Said said =
                with(jdk("17"))
                        .with("MEDLEY_CLASSPATH", "/mine.jar")
                        .with("MEDLEY_JAVA_OPTS", "-Xmx2g -Da=b")
                        .run(medley, "models");
        assertThat(said.out()).contains("other.jar:/mine.jar]").contains("[-Xmx2g][-Da=b]");
    }

    @Test
    void shouldSayWhichJavaIsTooOld() throws Exception {
        Said said = with(jdk("11.0.2")).run(medley, "train", "job.yaml");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("is Java 11.0.2", "needs a JDK 17 or later", "JAVA_HOME");
        assertThat(said.out()).isEmpty();
    }

    @Test
    void shouldSayThatJavaHomeIsWrong() throws Exception {
        Said said = new Shell().with("JAVA_HOME", "/nowhere").run(medley, "models");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("JAVA_HOME=/nowhere has no bin/java");
    }

    @Test
    void shouldSayThatLibrariesAreMissing() throws Exception {
        Path bare = Shell.copy(SCRIPT, folder.resolve("bare/bin/medley"));
        Said said = with(jdk("17")).run(bare, "models");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("not whole");
    }

    @Test
    void shouldMakeTheArchiveOfClassesOnceAndUseIt() throws Exception {
        Path jdk = jdk("17");
        Files.createDirectories(jdk.resolve("lib"));
        Files.writeString(jdk.resolve("lib/classlist"), "java/lang/Object\n");
        Path archives = folder.resolve("archives");
        Shell shell = new Shell().with("JAVA_HOME", jdk).with("MEDLEY_ARCHIVES", archives);

        Said first = shell.run(medley, "train", "job.yaml");
        assertThat(first.err()).contains("preparing faster starts");
        assertThat(first.out()).contains("[-XX:SharedArchiveFile=" + archives);
        assertThat(first.out()).contains("[-Dmedley.shared.classes=" + archives);
        assertThat(first.out()).contains("[-XX:Tier4InvocationThreshold=50000]");

        Said second = shell.run(medley, "train", "job.yaml");
        assertThat(second.err()).isEmpty();
        assertThat(second.out()).isEqualTo(first.out());

        Files.writeString(folder.resolve("medley 1/lib/medley-cli-1.jar"), "another build");
        assertThat(shell.run(medley, "train", "job.yaml").err()).contains("preparing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "simulate", "data"})
    void whatComputesOrMovesFilesShouldBeCompiledWell(String command) throws Exception {
        assertThat(with(jdk("17")).run(medley, command).out())
                .contains("[-XX:Tier4InvocationThreshold=50000]")
                .doesNotContain("TieredStopAtLevel");
    }

    @Test
    void shouldStartWithoutTheArchiveIfItCannotBeMade() throws Exception {
        Path jdk = jdk("17");
        Files.createDirectories(jdk.resolve("lib"));
        Files.writeString(jdk.resolve("lib/classlist"), "java/lang/Object\n");
        Shell.script(
                jdk.resolve("bin/java"),
                "case \"$*\" in *-Xshare:dump*) exit 1;; esac",
                "printf '[%s]' \"$@\"");
        Shell shell = new Shell().with("JAVA_HOME", jdk).with("MEDLEY_ARCHIVES", folder);
        Said first = shell.run(medley, "train", "job.yaml");
        assertThat(first.exitCode()).isZero();
        assertThat(first.out()).contains("[train][job.yaml]").doesNotContain("SharedArchive");
        assertThat(shell.run(medley, "train", "job.yaml").err()).as("not tried again").isEmpty();
    }

    private static Shell with(Path jdk) {
        return new Shell().with("JAVA_HOME", jdk).with("MEDLEY_ARCHIVES", "none");
    }

    /** A stand-in that prints its arguments and makes every archive that it is asked for. */
    private Path jdk(String version) throws IOException {
        Path jdk = folder.resolve("jdk " + version);
        Shell.script(
                jdk.resolve("bin/java"),
                "case \"$*\" in *-Xshare:dump*)",
                "  for word; do case $word in",
                "    -XX:SharedArchiveFile=*) echo archive > \"${word#*=}\";;",
                "  esac; done; exit 0;;",
                "esac",
                "printf '[%s]' \"$@\"");
        Files.writeString(
                jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }
}
