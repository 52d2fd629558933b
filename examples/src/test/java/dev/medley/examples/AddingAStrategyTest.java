package dev.medley.examples;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/adding-a-strategy.md is right: with its edits and classes a job trains by the strategy. */
class AddingAStrategyTest {
    private static final Path ROOT = Path.of(System.getProperty("medley.root", ".."));
    private static final Pattern DIFF = Pattern.compile("```diff (\\S+)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern KNOWS = Pattern.compile("StrategySpec|Algorithm|Parallelism");
    private static final Pattern PACKAGE = Pattern.compile("^package (.+);", Pattern.MULTILINE);
    private static final int FILES = 5;

    private static final long PATIENCE_S = 500;

    @TempDir Path folder;

    @Test
    @Tag("real")
    @Timeout(600)
    void theStrategyOfThePageShouldTrain() throws Exception {
        List<Path> sources = new ArrayList<>(edited());
        sources.addAll(rooms());
        sources.addAll(others(sources));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        compile(sources, classes);
        String output = train(classes);
        double loss = loss("sign-vote", output);
        assertThat(loss).as("a coin has 0.69").isLessThan(0.4);
        assertThat(loss).as("it is another one").isNotEqualTo(loss("data-parallel", output));
        assertThat(output).contains("simulated sign-vote");
    }

    private static double loss(String strategy, String output) {
        Matcher end = Pattern.compile(strategy + " COMPLETED loss=(\\S+)").matcher(output);
        assertThat(end.find()).as(output).isTrue();
        return Double.parseDouble(end.group(1));
    }

    /** The files outside the rooms, with the edits of the page. */
    private List<Path> edited() throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        Matcher diffs = DIFF.matcher(Files.readString(ROOT.resolve("docs/adding-a-strategy.md")));
        while (diffs.find()) {
            String path = diffs.group(1);
            String text = files.getOrDefault(path, "");
            String before = text.isEmpty() ? Files.readString(ROOT.resolve(path)) : text;
            files.put(path, edited(path, before, diffs.group(2)));
        }
        assertThat(files).as("files outside its rooms").hasSize(FILES);
        List<Path> written = new ArrayList<>();
        for (Map.Entry<String, String> file : files.entrySet()) {
            written.add(write(file.getValue(), Path.of(file.getKey()).getFileName().toString()));
        }
        return written;
    }

    private static String edited(String path, String text, String diff) {
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (String line : diff.split("\n")) {
            String content = line.substring(Math.min(1, line.length())) + "\n";
            before.append(line.startsWith("+") ? "" : content);
            after.append(line.startsWith("-") ? "" : content);
        }
        assertThat(text.split(Pattern.quote(before.toString()), -1))
                .as("%s has once:%n%s", path, before)
                .hasSize(2);
        return text.replace(before, after);
    }

    private List<Path> rooms() throws IOException {
        List<Path> written = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("examples/adding-a-strategy"))) {
            for (Path file : files.toList()) {
                written.add(write(Files.readString(file), file.getFileName().toString()));
            }
        }
        return written;
    }

    /** All that knows of strategies: a switch that lacks the new one would not compile. */
    private static List<Path> others(List<Path> known) throws IOException {
        Set<String> names =
                known.stream().map(file -> file.getFileName().toString()).collect(toSet());
        List<Path> others = new ArrayList<>();
        for (String module : List.of("base", "plan", "training", "api")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    boolean isEdited = names.contains(file.getFileName().toString());
                    if (!isEdited && KNOWS.matcher(Files.readString(file)).find()) {
                        others.add(file);
                    }
                }
            }
        }
        return others;
    }

    private Path write(String text, String name) throws IOException {
        Matcher declared = PACKAGE.matcher(text);
        assertThat(declared.find()).as(name).isTrue();
        Path into = folder.resolve("src").resolve(declared.group(1).replace('.', '/'));
        return Files.writeString(Files.createDirectories(into).resolve(name), text);
    }

    private static void compile(List<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(said, null, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of(
                            "-d",
                            classes.toString(),
                            "-classpath",
                            System.getProperty("java.class.path"),
                            "-proc:none",
                            "-nowarn",
                            "-implicit:none");
            boolean isCompiled =
                    compiler.getTask(
                                    null,
                                    files,
                                    said,
                                    options,
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources))
                            .call();
            assertThat(isCompiled).as("%s", said.getDiagnostics()).isTrue();
        }
    }

    private String train(Path classes) throws IOException, InterruptedException {
        String classPath = classes + File.pathSeparator + System.getProperty("java.class.path");
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                classPath,
                                AddedStrategy.class.getName(),
                                folder.toString(),
                                "sign-vote",
                                ROOT.resolve("examples/simulate/uneven-two-clouds.yaml").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            boolean hasEnded = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
            String said = Files.readString(output);
            assertThat(hasEnded).as("it ends; so far: %s", said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
