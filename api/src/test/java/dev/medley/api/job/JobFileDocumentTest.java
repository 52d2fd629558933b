package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.schema.JobReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/job-file.md is right: its reference is the schema's, and every job in it can be read. Run
 * with {@code -Dtest.jvm.args=-Dmedley.docs=write} to write the reference anew after a change of
 * the schema.
 */
@Tag("unit")
class JobFileDocumentTest {
    private static final Path ROOT = Path.of(System.getProperty("medley.root", ".."));
    private static final String MARK = "<!-- reference: generated from the schema -->";

    @Test
    void shouldListEveryKeyOfTheSchema() throws IOException {
        Path document = ROOT.resolve("docs/job-file.md");
        String text = Files.readString(document);
        String head = text.substring(0, text.indexOf(MARK) + MARK.length());
        String expected = head + "\n\n" + reference();
        if ("write".equals(System.getProperty("medley.docs"))) {
            Files.writeString(document, expected);
        } else {
            assertThat(text).isEqualTo(expected);
        }
    }

    @Test
    void shouldShowJobsThatCanBeRead() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/job-file.md"));
        List<String> jobs =
                Stream.of(text.split("```yaml\n"))
                        .skip(1)
                        .map(part -> part.substring(0, part.indexOf("```")))
                        .toList();
        assertThat(jobs).hasSizeGreaterThan(3);
        for (String job : jobs) {
            assertThat(JobFile.parse("doc.yaml", job, ROOT, List.of()).spec()).as(job).isNotNull();
        }
    }

    @Test
    void shouldReadTheExamples() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("examples"))) {
            List<Path> jobs = files.filter(f -> f.toString().endsWith(".yaml")).toList();
            assertThat(jobs).isNotEmpty();
            for (Path job : jobs) {
                assertThat(JobFile.read(job, List.of()).spec().name()).isNotEmpty();
            }
        }
    }

    private static String reference() {
        Map<String, StringBuilder> tables = new LinkedHashMap<>();
        for (JobReference.Key key : JobReference.keys()) {
            tables.computeIfAbsent(sectionOf(key), JobFileDocumentTest::head).append(row(key));
        }
        return String.join("\n", tables.values());
    }

    private static StringBuilder head(String section) {
        return new StringBuilder("### " + section)
                .append("\n\n| key | default | meaning |\n|---|---|---|\n");
    }

    private static String sectionOf(JobReference.Key key) {
        if (!key.family().isEmpty()) {
            return "model: " + key.family();
        }
        int dot = key.path().lastIndexOf('.');
        return dot < 0 ? "The job" : key.path().substring(0, dot);
    }

    private static String row(JobReference.Key key) {
        String name = key.path().substring(key.path().lastIndexOf('.') + 1);
        String meaning = key.title() + ". " + key.description();
        String example = key.example().isEmpty() ? "" : " Example: `" + key.example() + "`";
        String value = key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`";
        return "| `%s` | %s | %s%s |\n"
                .formatted(name, value.replace("|", "\\|"), meaning.replace("|", "\\|"), example);
    }
}
