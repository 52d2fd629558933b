package dev.medley.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.VariableTree;
import dev.medley.house.JavaSource.Method;
import dev.medley.house.JavaSource.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How sources look. Every message names file and line and says what to do. */
@Tag("unit")
class TidyTest {
    private static final int LINE_LENGTH = 110;
    private static final int FILE_LINES = 500;
    private static final int FILE_LINES_AT_MOST = 700;
    private static final int METHOD_LINES_AT_MOST = 70;
    private static final int CONSTRUCTOR_PARAMETERS = 7;
    private static final Pattern VAGUE_NAME =
            Pattern.compile(".*(Utils?|Helpers?|Manager|Impl|Infos?)$");
    private static final Pattern SHOULD = Pattern.compile("^should[A-Z]|[a-z]Should[A-Z]");
    private static final Set<String> TAGS = Set.of("unit", "property", "simulation", "real");

    /** What only its owners may call: a pattern, the files that may, and what to do instead. */
    private static final List<Reserved> RESERVED =
            List.of(
                    new Reserved(
                            "System\\.nanoTime|System\\.currentTimeMillis"
                                + "|(Instant|LocalDate|LocalTime|LocalDateTime|ZonedDateTime)\\.now",
                            Set.of("SystemClock"),
                            "take a Clock in the constructor"),
                    new Reserved(
                            "new (java\\.util\\.)?Random\\(|Math\\.random|ThreadLocalRandom"
                                    + "|new SplittableRandom\\(",
                            Set.of("Seeds"),
                            "draw from Seeds.random(seed, ...), so that the run can be repeated"),
                    new Reserved(
                            "(Thread|TimeUnit\\.[A-Z]+|[A-Z]+SECONDS)\\.sleep\\(",
                            Set.of("WorkerSession", "GetsSlow"), // It plays a slow machine.
                            "wait for what is to happen, with a deadline"));

    private static final List<JavaSource> SOURCES = JavaSource.all();

    private record Reserved(Pattern call, Set<String> owners, String instead) {
        Reserved(String call, Set<String> owners, String instead) {
            this(Pattern.compile(call), owners, instead);
        }
    }

    @Test
    void shouldFindTheSources() {
        assertThat(SOURCES).hasSizeGreaterThan(300);
        assertThat(SOURCES.stream().mapToInt(s -> s.methods().size()).sum()).isGreaterThan(2000);
    }

    @Test
    void shouldKeepFilesShort() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            int lines = source.lines().size();
            boolean hasReason =
                    source.types().stream().anyMatch(t -> t.comment().contains("Long because"));
            if (lines > FILE_LINES_AT_MOST || lines > FILE_LINES && !hasReason) {
                found.add(
                        source.at(lines)
                                + ": the file has more than 500 lines: split it, or (up to 700) say"
                                + " 'Long because ...' in the Javadoc of its type");
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldKeepMethodsShort() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            for (Method method : source.methods()) {
                if (method.lineCount() > METHOD_LINES_AT_MOST) {
                    found.add(
                            "%s: %s has %d lines, more than %d: name its parts and move them out"
                                    .formatted(
                                            source.at(method.line()),
                                            method.tree().getName(),
                                            method.lineCount(),
                                            METHOD_LINES_AT_MOST));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldKeepLinesShort() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            for (int i = 0; i < source.lines().size(); i++) {
                String line = source.lines().get(i);
                if (line.length() > LINE_LENGTH && !line.contains("http")) {
                    found.add(source.at(i + 1) + ": longer than 110 columns: break it");
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldLeaveClockChanceAndSleepToTheirOwners() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            for (int i = 0; i < source.lines().size(); i++) {
                String line = withoutComment(source.lines().get(i));
                for (Reserved reserved : RESERVED) {
                    Matcher call = reserved.call().matcher(line);
                    if (call.find() && !mayCall(source, reserved)) {
                        found.add(
                                "%s: %s is not for this class: %s"
                                        .formatted(
                                                source.at(i + 1),
                                                call.group(),
                                                reserved.instead()));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldNameTypesByWhatTheyAre() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            for (Type type : source.types()) {
                if (VAGUE_NAME.matcher(type.name()).matches()) {
                    found.add(
                            source.at(type.line())
                                    + ": "
                                    + type.name()
                                    + " says nothing: use a noun of the field (GLOSSARY.md)");
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldKeepConstructorsSmall() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            for (Method method : source.methods()) {
                int parameters = method.tree().getParameters().size();
                if (isConstructor(method)
                        && !JavaSource.isRecord(method.owner())
                        && parameters > CONSTRUCTOR_PARAMETERS) {
                    found.add(
                            source.at(method.line())
                                    + ": a constructor of more than 7 parameters: group them in a"
                                    + " record");
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldTakeNoBooleansInPublicMethods() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            for (Method method : source.methods()) {
                if (!isPublic(method) || isConstructor(method) || isCheck(method)) {
                    continue;
                }
                for (VariableTree parameter : method.tree().getParameters()) {
                    if (String.valueOf(parameter.getType()).equals("boolean")) {
                        found.add(
                                "%s: %s(boolean %s): make two methods, or an enum"
                                        .formatted(
                                                source.at(method.line()),
                                                method.tree().getName(),
                                                parameter.getName()));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldSayWhatEveryPublicTypeAndMethodPromises() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            if (source.isTest()) {
                continue;
            }
            for (Type type : source.types()) {
                boolean isPublic = type.tree().getModifiers().getFlags().contains(Modifier.PUBLIC);
                if (isPublic && type.comment().isBlank()) {
                    found.add(source.at(type.line()) + ": " + type.name() + " has no Javadoc");
                }
            }
            for (Method method : source.methods()) {
                if (isPublic(method) && method.comment().isBlank() && !isSaidElsewhere(method)) {
                    found.add(
                            source.at(method.line())
                                    + ": "
                                    + method.tree().getName()
                                    + " has no Javadoc: say what it promises");
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldIntroduceEveryPackage() {
        Map<String, Path> packages = new TreeMap<>();
        Map<String, String> introductions = new TreeMap<>();
        for (JavaSource source : SOURCES) {
            String folder = source.file().getParent().toString();
            if (!folder.contains("/src/")) {
                continue; // A class that a page shows: its package is introduced where it will be.
            }
            String name = folder.replaceFirst(".*/src/(main|test)/java/", "");
            if (source.simpleName().equals("package-info")) {
                introductions.put(name, String.join("\n", source.lines()));
            } else if (!packages.containsKey(name) || !source.isTest()) {
                packages.put(name, source.file());
            }
        }
        List<String> found = new ArrayList<>();
        packages.forEach(
                (name, file) -> {
                    String introduction = introductions.getOrDefault(name, "");
                    boolean isMain = file.toString().contains("/src/main/java/dev/medley/");
                    boolean isDone =
                            introduction.contains("May use") && introduction.contains("Never");
                    if (introduction.isBlank()) {
                        found.add(
                                Repository.at(file, 1)
                                        + ": its package has no package-info.java: say what it"
                                        + " does, may use, never uses, and its threads");
                    } else if (isMain && !isDone) {
                        found.add(
                                Repository.at(file.resolveSibling("package-info.java"), 1)
                                        + ": say what the package may use and never uses");
                    }
                });
        assertThat(found).isEmpty();
    }

    @Test
    void shouldTagEveryTestAndNameItByWhatShouldHappen() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : SOURCES) {
            if (!source.isTest()) {
                continue;
            }
            for (Method method : source.methods()) {
                if (isTest(method) && !SHOULD.matcher(method.tree().getName()).find()) {
                    found.add(source.at(method.line()) + ": say what should happen: should...");
                }
            }
            boolean hasTests = source.methods().stream().anyMatch(TidyTest::isTest);
            String text = String.join("\n", source.lines());
            boolean isTagged =
                    TAGS.stream().anyMatch(tag -> text.contains("@Tag(\"" + tag + "\")"));
            if (hasTests && !isTagged) {
                found.add(
                        source.at(1)
                                + ": tag it @Tag(\"unit\", \"property\", \"simulation\" or"
                                + " \"real\")");
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldLeaveNothingForLaterAndNameNoMachine() {
        Map<Pattern, String> unwanted =
                Map.of(
                        Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b"),
                        "do it, or open an issue",
                        Pattern.compile("(^|[\\s\"'(=:])/(work|root|home)/[a-z]"),
                        "a path of one machine: make it relative or an option",
                        Pattern.compile(
                                "repo1?\\.maven|py"
                                        + "pi\\.org|pythonhosted|npm"
                                        + "js\\.|deb\\."
                                        + "debian"),
                        "a package registry is the business of who builds: leave it out");
        List<String> found = new ArrayList<>();
        for (Path file :
                Repository.files(
                        ".java",
                        ".md",
                        ".xml",
                        ".yaml",
                        ".yml",
                        ".json",
                        ".py",
                        ".sh",
                        ".cmd",
                        ".properties",
                        "medley",
                        "run",
                        ".svg")) {
            if (!Files.isRegularFile(file) || file.endsWith("TidyTest.java")) {
                continue;
            }
            List<String> lines = Repository.lines(file);
            for (int i = 0; i < lines.size(); i++) {
                for (Map.Entry<Pattern, String> entry : unwanted.entrySet()) {
                    if (entry.getKey().matcher(lines.get(i)).find()) {
                        found.add(
                                "%s: %s: %s"
                                        .formatted(
                                                Repository.at(file, i + 1),
                                                lines.get(i).strip(),
                                                entry.getValue()));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static boolean mayCall(JavaSource source, Reserved reserved) {
        return reserved.owners().contains(source.simpleName())
                || source.file().endsWith("TidyTest.java");
    }

    private static String withoutComment(String line) {
        String code = line.strip();
        return code.startsWith("*") || code.startsWith("/") ? "" : code.replaceAll("//.*", "");
    }

    private static boolean isPublic(Method method) {
        return method.tree().getModifiers().getFlags().contains(Modifier.PUBLIC)
                && method.owner().getModifiers().getFlags().contains(Modifier.PUBLIC);
    }

    /** By the overridden method, or by the record whose components are checked. */
    private static boolean isSaidElsewhere(Method method) {
        return hasAnnotation(method, "Override")
                || isConstructor(method) && JavaSource.isRecord(method.owner());
    }

    private static boolean isConstructor(Method method) {
        return method.tree().getName().contentEquals("<init>");
    }

    /** An assertion's condition is a boolean by nature. */
    private static boolean isCheck(Method method) {
        return method.tree().getName().contentEquals("check");
    }

    private static boolean isTest(Method method) {
        return hasAnnotation(method, "Test")
                || hasAnnotation(method, "ParameterizedTest")
                || hasAnnotation(method, "TestFactory");
    }

    private static boolean hasAnnotation(Method method, String name) {
        for (AnnotationTree annotation : method.tree().getModifiers().getAnnotations()) {
            if (annotation.getAnnotationType().toString().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
