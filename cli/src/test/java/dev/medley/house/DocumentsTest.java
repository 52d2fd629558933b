package dev.medley.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Documents are true where that can be checked: links lead somewhere, classes that they name exist.
 */
@Tag("unit")
class DocumentsTest {
    private static final Pattern LINK =
            Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)|(?:src|srcset|href)=\"([^\"]+)\"");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TYPE = Pattern.compile("[A-Z][a-z]\\w*(\\.[A-Z]\\w*)*");
    private static final Pattern METHOD =
            Pattern.compile("([A-Z]\\w*)(?:\\.[A-Z]\\w*)*\\.([a-z]\\w*)(\\(.*)?");

    /** Documents that speak of classes in backticks. */
    private static final List<String> ABOUT_CODE =
            List.of("docs/TOUR.md", "docs/ARCHITECTURE.md", "GLOSSARY.md");

    /** Names of other people's types and of things in job files. */
    private static final Set<String> NOT_OURS = Set.of("IllegalStateException");

    @Test
    void shouldLinkToFilesThatExist() {
        List<String> found = new ArrayList<>();
        for (Path document : Repository.files(".md")) {
            List<String> lines = Repository.lines(document);
            for (int i = 0; i < lines.size(); i++) {
                Matcher link = LINK.matcher(lines.get(i));
                while (link.find()) {
                    String target = link.group(1) != null ? link.group(1) : link.group(2);
                    if (isBroken(document, target, lines)) {
                        found.add(
                                Repository.at(document, i + 1)
                                        + ": the link to "
                                        + target
                                        + " leads nowhere: correct it");
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldNameClassesAndMethodsThatExist() {
        List<JavaSource> sources = JavaSource.all();
        Set<String> types =
                sources.stream()
                        .flatMap(s -> s.types().stream())
                        .map(JavaSource.Type::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> methods =
                sources.stream()
                        .flatMap(s -> s.methods().stream())
                        .map(m -> m.tree().getName().toString())
                        .collect(Collectors.toCollection(TreeSet::new));
        sources.stream()
                .flatMap(s -> s.types().stream())
                .flatMap(t -> t.tree().getMembers().stream())
                .forEach(m -> fieldName(m, methods));
        List<String> found = new ArrayList<>();
        for (String name : ABOUT_CODE) {
            Path document = Repository.ROOT.resolve(name);
            List<String> lines = Repository.lines(document);
            for (int i = 0; i < lines.size(); i++) {
                Matcher code = CODE.matcher(lines.get(i));
                while (code.find()) {
                    if (isUnknown(code.group(1), types, methods)) {
                        found.add(
                                "%s: there is no `%s`: name what is there"
                                        .formatted(Repository.at(document, i + 1), code.group(1)));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldShowThePictureInLightAndDark() throws Exception {
        String readme = Files.readString(Repository.ROOT.resolve("README.md"));
        assertThat(readme).contains("prefers-color-scheme: dark");
    }

    private static boolean isBroken(Path document, String target, List<String> lines) {
        if (target.startsWith("http:") || target.startsWith("https:")) {
            return false;
        }
        String file = target.replaceFirst("#.*", "");
        if (file.isEmpty()) {
            String anchor = target.substring(1);
            return lines.stream().noneMatch(l -> l.startsWith("#") && anchor(l).equals(anchor));
        }
        return !Files.exists(document.resolveSibling(file));
    }

    private static String anchor(String heading) {
        return heading.replaceFirst("^#+ *", "")
                .toLowerCase(java.util.Locale.ROOT)
                .replaceAll("[^a-z0-9 _-]", "")
                .replace(' ', '-');
    }

    private static void fieldName(com.sun.source.tree.Tree member, Set<String> names) {
        if (member instanceof com.sun.source.tree.VariableTree field) {
            names.add(field.getName().toString());
        }
    }

    private static boolean isUnknown(String code, Set<String> types, Set<String> methods) {
        Matcher method = METHOD.matcher(code);
        if (method.matches()) {
            return !NOT_OURS.contains(method.group(1))
                    && (!types.contains(method.group(1)) || !methods.contains(method.group(2)));
        }
        if (!TYPE.matcher(code).matches()) {
            return false;
        }
        for (String part : code.split("\\.")) {
            if (!NOT_OURS.contains(part) && !types.contains(part) && !methods.contains(part)) {
                return true;
            }
        }
        return false;
    }
}
