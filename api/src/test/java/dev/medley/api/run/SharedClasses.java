package dev.medley.api.run;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
    private static final Path ARCHIVE = Path.of("target/classes.jsa").toAbsolutePath();
    private static final Path JARS = Path.of("target/classes.path");
    private static boolean isThere;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Path classes = Path.of(System.getProperty("java.home"), "lib", "classlist");
        if (!isThere && Files.exists(classes)) {
            isThere = true;
            String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
            String jars = join(Arrays.stream(path).filter(entry -> entry.endsWith(".jar")));
            String others = join(Arrays.stream(path).filter(entry -> !entry.endsWith(".jar")));
            makeOnce(classes, jars);
            System.setProperty("java.class.path", jars + File.pathSeparator + others);
            System.setProperty("medley.shared.classes", ARCHIVE.toString());
        }
    }

    /** Of several JVMs that test at the same time the first makes it, and the others wait. */
    private static void makeOnce(Path ofTheJdk, String jars)
            throws IOException, InterruptedException {
        try (FileChannel lock = FileChannel.open(Path.of("target/classes.lock"), CREATE, WRITE);
                FileLock unused = lock.lock()) {
            if (!isNewerThan(jars)) {
                make(ofTheJdk, jars);
            }
        }
    }

    private static boolean isNewerThan(String jars) throws IOException {
        if (!Files.exists(JARS) || !Files.readString(JARS).equals(jars)) {
            return false;
        }
        FileTime made = Files.getLastModifiedTime(ARCHIVE);
        for (String jar : jars.split(File.pathSeparator)) {
            if (Files.getLastModifiedTime(Path.of(jar)).compareTo(made) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static void make(Path ofTheJdk, String jars) throws IOException, InterruptedException {
        List<String> classes = new ArrayList<>(Files.readAllLines(ofTheJdk));
        classes.addAll(Files.readAllLines(Path.of("../cli/src/main/distribution/classes.list")));
        Path list = Files.write(Path.of("target/classes.list"), classes);
        Files.deleteIfExists(JARS);
        Files.deleteIfExists(ARCHIVE);
        Process dump =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xshare:dump",
                                "-XX:+UseSerialGC",
                                "-XX:SharedClassListFile=" + list,
                                "-XX:SharedArchiveFile=" + ARCHIVE,
                                "-cp",
                                jars)
                        .redirectErrorStream(true)
                        .redirectOutput(Path.of("target/classes.log").toFile())
                        .start();
        if (!dump.waitFor(60, TimeUnit.SECONDS) || dump.exitValue() != 0) {
            throw new IOException("no archive of classes: see target/classes.log");
        }
        Files.writeString(JARS, jars); // Tests of cli use both.
    }

    private static String join(Stream<String> entries) {
        return entries.collect(Collectors.joining(File.pathSeparator));
    }
}
