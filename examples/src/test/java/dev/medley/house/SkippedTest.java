package dev.medley.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints at the end of a build what its tests skipped for want of something, and how to bring it.
 * The last module runs it, after all others have written their reports.
 */
class SkippedTest {
    /** What a reason has in it, and what to do then; the first that fits. */
    private static final Map<String, String> REMEDIES = new LinkedHashMap<>();

    static {
        REMEDIES.put("tools/kube", "Go 1.26, and some minutes, once");
        REMEDIES.put("chromium", "apt-get install chromium chromium-driver");
        REMEDIES.put("torch", "pip install torch, in the python3 of the PATH");
        REMEDIES.put("python", "pip install safetensors numpy, in the python3 of the PATH");
        REMEDIES.put("medley_shared", "data sets: put them there, see benchmarks/README.md");
        REMEDIES.put("is not here", "data sets: set MEDLEY_SHARED to their folder");
        REMEDIES.put("ip netns", "apt-get install iproute2, as root");
        REMEDIES.put("namespace", "apt-get install iproute2, as root");
        REMEDIES.put("mount", "run the build as root, where mounting is allowed");
        REMEDIES.put("cgroup", "run the build as root, where control groups can be written");
        REMEDIES.put("root", "run the build as root");
    }

    /** Skipped tests of one reason. */
    private record Skipped(String reason, int count, List<String> classes) {}

    @Test
    @Tag("unit")
    @Tag("property")
    @Tag("simulation")
    @Tag("real")
    void theBuildShouldSayWhatItSkippedAndHowToBringIt() throws IOException {
        Path root = Path.of(System.getProperty("medley.root", ".."));
        Instant began = Instant.parse(System.getProperty("medley.build.began"));
        List<Path> reports = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.toList()) {
                reports.addAll(reportsOf(module.resolve("target/surefire-reports"), began));
            }
        }
        System.out.println(said(reports));
    }

    @Test
    @Tag("unit")
    void reasonsShouldComeWithWhatToDo(@TempDir Path folder) throws IOException {
        Path report = folder.resolve("TEST-a.b.CTest.xml");
        Files.writeString(
                report,
                """
                <testsuite name="a.b.CTest"><testcase name="x" classname="a.b.CTest">
                <skipped message="Assumption failed: skipped: no chromium with chromedriver"/>
                </testcase><testcase name="y" classname="a.b.CTest">
                <skipped message="Assumption failed: skipped: no chromium with chromedriver"/>
                </testcase><testcase name="z" classname="a.b.CTest"/>
                <testcase name="t" classname="a.b.CTest"><skipped type="o.TestAbortedException"><![CDATA[\
                org.opentest4j.TestAbortedException: Assumption failed: no helm; tools/kube/build.sh
                	at a.b.CTest.t(CTest.java:5)
                ]]></skipped></testcase></testsuite>
                """);
        assertThat(reportsOf(folder, Instant.MAX)).isEmpty();
        assertThat(said(reportsOf(folder, Instant.EPOCH)))
                .contains("3 tests were skipped")
                .contains("  1  no helm; tools/kube/build.sh (CTest): Go 1.26")
                .contains("  2  no chromium with chromedriver (CTest): apt-get install chromium");
        assertThat(said(List.of())).contains("No test was skipped.");
    }

    private static String said(List<Path> reports) {
        Map<String, Skipped> byReason = new TreeMap<>();
        reports.forEach(report -> read(report, byReason));
        int count = byReason.values().stream().mapToInt(Skipped::count).sum();
        if (count == 0) {
            return "No test was skipped.";
        }
        StringBuilder said =
                new StringBuilder(
                        count == 1
                                ? "1 test was skipped for want of something:"
                                : count + " tests were skipped for want of something:");
        for (Skipped skipped : byReason.values()) {
            said.append(
                    "%n  %d  %s (%s)"
                            .formatted(
                                    skipped.count(),
                                    skipped.reason(),
                                    String.join(", ", skipped.classes())));
            String remedy = remedy(skipped.reason());
            said.append(remedy.isEmpty() ? "" : ": " + remedy);
        }
        return said.toString();
    }

    private static String remedy(String reason) {
        String lower = reason.toLowerCase(java.util.Locale.ROOT);
        return REMEDIES.entrySet().stream()
                .filter(remedy -> lower.contains(remedy.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** Those that this build wrote. */
    private static List<Path> reportsOf(Path folder, Instant began) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .filter(file -> isSince(file, began))
                    .toList();
        }
    }

    private static boolean isSince(Path file, Instant began) {
        try {
            return !Files.getLastModifiedTime(file).toInstant().isBefore(began);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Path report, Map<String, Skipped> byReason) {
        try {
            XMLInputFactory factory = XMLInputFactory.newInstance();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            XMLStreamReader xml =
                    factory.createXMLStreamReader(new StringReader(Files.readString(report)));
            String of = "";
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                    if (xml.getLocalName().equals("testcase")) {
                        of = xml.getAttributeValue(null, "classname").replaceFirst(".*\\.", "");
                    } else if (xml.getLocalName().equals("skipped")) {
                        String message = xml.getAttributeValue(null, "message");
                        // What a test finds missing while it runs is told as what was thrown.
                        add(message == null ? xml.getElementText() : message, of, byReason);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(report + " is no report of tests", e);
        }
    }

    private static void add(String message, String of, Map<String, Skipped> byReason) {
        String reason =
                message.strip()
                        .lines()
                        .findFirst()
                        .orElse("")
                        .replaceFirst("^[\\w.]+TestAbortedException: ", "")
                        .replaceFirst("^Assumption failed: ", "")
                        .replaceFirst("^skipped: ", "");
        Skipped before = byReason.getOrDefault(reason, new Skipped(reason, 0, List.of()));
        List<String> classes = new ArrayList<>(before.classes());
        if (!classes.contains(of)) {
            classes.add(of);
        }
        byReason.put(reason, new Skipped(reason, before.count() + 1, classes));
    }
}
