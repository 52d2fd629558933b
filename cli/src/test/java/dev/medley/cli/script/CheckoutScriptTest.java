package dev.medley.cli.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.script.Shell.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a script for sh")
class CheckoutScriptTest {
    @TempDir Path folder;
    private Path medley;
    private Path source;
    private Shell shell;

    @BeforeEach
    void checkOut() throws IOException {
        medley = Shell.copy("medley", folder.resolve("checkout/medley"));
        source = folder.resolve("checkout/base/src/main/java/A.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class A {}");
        Files.writeString(folder.resolve("checkout/pom.xml"), "<project/>");
        Path jdk = folder.resolve("jdk");
        Shell.script(jdk.resolve("bin/javac"), "exit 0");
        Path maven =
                Shell.script(
                        folder.resolve("mvn"),
                        "echo \"built with $*\"",
                        "mkdir -p cli/target/medley/bin",
                        "echo 'echo \"ran $*\"' > cli/target/medley/bin/medley",
                        "chmod +x cli/target/medley/bin/medley");
        shell = new Shell().with("JAVA_HOME", jdk).with("MAVEN", maven);
        age(folder.resolve("checkout"));
    }

    @Test
    void shouldBuildAtTheFirstCallAndSayWhy() throws Exception {
        Said said = shell.run(medley, "train", "job.yaml");
        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).isEqualTo("ran train job.yaml\n");
        assertThat(said.err()).contains("building, because this is the first call", "build.log");
        assertThat(folder.resolve("checkout/.medley/build.log")).content().contains("package");
    }

    @Test
    void shouldStartAtOnceWhenNothingHasChanged() throws Exception {
        shell.run(medley, "--version");
        Said said = shell.run(medley, "--version");
        assertThat(said.out()).isEqualTo("ran --version\n");
        assertThat(said.err()).isEmpty();
    }

    @Test
    void shouldBuildAgainWhenASourceIsNewer() throws Exception {
        shell.run(medley, "--version");
        Path built = folder.resolve("checkout/.medley/built");
        Files.setLastModifiedTime(
                source, FileTime.fromMillis(Files.getLastModifiedTime(built).toMillis() + 2_000));
        Said said = shell.run(medley, "--version");
        assertThat(said.err()).contains("base/src/main/java/A.java is newer than the last build");
        assertThat(said.out()).isEqualTo("ran --version\n");
    }

    @Test
    void shouldShowTheEndOfAFailedBuildAndTryAgainNextTime() throws Exception {
        Path failing =
                Shell.script(
                        folder.resolve("failing"),
                        "echo '[INFO] noise'",
                        "echo '[ERROR] A.java:1 is wrong'",
                        "exit 1");
        Said said = shell.with("MAVEN", failing).run(medley, "--version");
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err()).contains("the build failed", "A.java:1 is wrong");
        assertThat(said.err()).doesNotContain("noise");
        assertThat(shell.run(medley, "--version").exitCode()).isEqualTo(1);
        assertThat(folder.resolve("checkout/.medley/lock")).doesNotExist();
    }

    @Test
    void shouldSayWhatBuildingNeeds() throws Exception {
        Said noMaven = shell.with("MAVEN", "no-such-maven").run(medley, "--version");
        assertThat(noMaven.exitCode()).isEqualTo(2);
        assertThat(noMaven.err()).contains("no no-such-maven in the PATH", "Maven 3.8.7");
        Said noJdk = shell.with("JAVA_HOME", "/nowhere").run(medley, "--version");
        assertThat(noJdk.exitCode()).isEqualTo(2);
        assertThat(noJdk.err()).contains("JAVA_HOME=/nowhere has no bin/javac", "JDK 17");
    }

    @Test
    void shouldTakeOverALockWhoseOwnerIsGone() throws Exception {
        Path lock = folder.resolve("checkout/.medley/lock");
        Files.createDirectories(lock);
        Files.writeString(lock.resolve("pid"), "999999999");
        Said said = shell.run(medley, "--version");
        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).isEqualTo("ran --version\n");
    }

    /** Everything in the checkout was there an hour before the build. */
    private static void age(Path folder) throws IOException {
        FileTime then = FileTime.fromMillis(folder.toFile().lastModified() - 3_600_000);
        try (var files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, then);
            }
        }
    }
}
