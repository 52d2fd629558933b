package dev.medley.api.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives the workers of all tests what an installed command gives them: classes already parsed and
 * checked, which saves each half a second of one core. An archive holds no classes of folders, and
 * fits where its jars come first on the class path.
 */
public final class SharedClasses implements BeforeAllCallback {
    private static boolean isMade;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Path classes = Path.of(System.getProperty("java.home"), "lib", "classlist");
        if (!isMade && Files.exists(classes)) {
            isMade = true;
            make(classes);
        }
    }

    private static void make(Path ofTheJdk) throws IOException, InterruptedException {
        String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
        String jars = join(Arrays.stream(path).filter(entry -> entry.endsWith(".jar")));
        String others = join(Arrays.stream(path).filter(entry -> !entry.endsWith(".jar")));
        List<String> classes = new ArrayList<>(Files.readAllLines(ofTheJdk));
        classes.addAll(Files.readAllLines(Path.of("../cli/src/main/distribution/classes.list")));
        Path list = Files.write(Path.of("target/classes.list"), classes);
        Path archive = Path.of("target/classes.jsa").toAbsolutePath();
        Files.deleteIfExists(archive);
        Files.deleteIfExists(Path.of("target/classes.path"));
        Process dump =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xshare:dump",
                                "-XX:+UseSerialGC",
                                "-XX:SharedClassListFile=" + list,
                                "-XX:SharedArchiveFile=" + archive,
                                "-cp",
                                jars)
                        .redirectErrorStream(true)
                        .redirectOutput(Path.of("target/classes.log").toFile())
                        .start();
        if (!dump.waitFor(60, TimeUnit.SECONDS) || dump.exitValue() != 0) {
            throw new IOException("no archive of classes: see target/classes.log");
        }
        Files.writeString(Path.of("target/classes.path"), jars); // Tests of cli use both.
        System.setProperty("java.class.path", jars + File.pathSeparator + others);
        System.setProperty("medley.shared.classes", archive.toString());
    }

    private static String join(Stream<String> entries) {
        return entries.collect(Collectors.joining(File.pathSeparator));
    }
}
