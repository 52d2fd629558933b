package dev.medley.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The licences of the libraries that ship with Medley: every one is permitted, and NOTICE names
 * every library. The class path is the one that the build has written to {@code
 * target/runtime-class-path.txt}; licences are those of the libraries' own poms or their parents'.
 */
@Tag("unit")
class LicencesTest {
    /** Words of a licence's name; one licence of a library has to have one of them. */
    private static final List<String> PERMITTED =
            List.of(
                    "apache",
                    "mit",
                    "bsd",
                    "eclipse public license",
                    "epl",
                    "public domain",
                    "cc0");

    @Test
    void shouldShipPermittedLicencesOnlyAndNameThemInTheNotice() throws Exception {
        String notice = Files.readString(Repository.ROOT.resolve("NOTICE"));
        List<String> found = new ArrayList<>();
        int libraries = 0;
        for (Path jar : runtimeClassPath()) {
            String artifact = jar.getParent().getParent().getFileName().toString();
            if (jar.getFileName().toString().startsWith("medley-")) {
                continue;
            }
            libraries++;
            TreeSet<String> licences = licences(pom(jar));
            if (licences.stream().noneMatch(LicencesTest::isPermitted)) {
                found.add(
                        "cli/pom.xml:1: %s has licences %s: leave it out, or add its licence to"
                                        .formatted(artifact, licences)
                                + " LicencesTest if it obliges users to nothing");
            }
            if (!notice.contains(artifact)) {
                found.add("NOTICE:1: name %s, %s".formatted(artifact, licences));
            }
        }
        assertThat(found).isEmpty();
        assertThat(libraries).as("libraries on the class path").isGreaterThan(15);
    }

    private static List<Path> runtimeClassPath() throws IOException {
        Path written = Repository.ROOT.resolve("cli/target/runtime-class-path.txt");
        List<Path> jars = new ArrayList<>();
        for (String entry : Files.readString(written).strip().split(java.io.File.pathSeparator)) {
            if (entry.endsWith(".jar")) {
                jars.add(Path.of(entry));
            }
        }
        return jars;
    }

    private static boolean isPermitted(String licence) {
        String name = licence.toLowerCase(java.util.Locale.ROOT);
        return PERMITTED.stream().anyMatch(word -> name.matches(".*\\b" + word + "\\b.*"));
    }

    /** {@code .../artifact/version/artifact-version.pom} beside a jar of the local repository. */
    private static Path pom(Path jar) {
        Path version = jar.getParent();
        String artifact = version.getParent().getFileName().toString();
        return version.resolve(artifact + "-" + version.getFileName() + ".pom");
    }

    private static TreeSet<String> licences(Path pom) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        Element project = factory.newDocumentBuilder().parse(pom.toFile()).getDocumentElement();
        TreeSet<String> names = new TreeSet<>();
        Element licences = child(project, "licenses");
        if (licences != null) {
            NodeList all = licences.getElementsByTagName("name");
            for (int i = 0; i < all.getLength(); i++) {
                names.add(all.item(i).getTextContent().strip());
            }
        }
        Element parent = child(project, "parent");
        if (!names.isEmpty() || parent == null) {
            return names;
        }
        String group = text(child(project, "groupId") == null ? parent : project, "groupId");
        return licences(pom(repository(pom, group), parent));
    }

    /** A pom is at {@code repository/the/group/id/artifact/version/}. */
    private static Path repository(Path pom, String group) {
        Path folder = pom.getParent().getParent().getParent();
        for (String ignored : group.split("\\.")) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static Path pom(Path repository, Element parent) {
        String artifact = text(parent, "artifactId");
        String version = text(parent, "version");
        return repository
                .resolve(text(parent, "groupId").replace('.', '/'))
                .resolve(artifact)
                .resolve(version)
                .resolve(artifact + "-" + version + ".pom");
    }

    private static String text(Element of, String name) {
        Element found = child(of, name);
        return found == null ? "" : found.getTextContent().strip();
    }

    private static @org.jspecify.annotations.Nullable Element child(Element of, String name) {
        for (Node node = of.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                return element;
            }
        }
        return null;
    }
}
