package dev.medley.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * One Java file of the repository, parsed.
 *
 * @param file where it is
 * @param lines its text
 * @param types its classes, records, enums and interfaces, nested ones too
 * @param methods all their methods and constructors
 */
record JavaSource(Path file, List<String> lines, List<Type> types, List<Method> methods) {
    /** A type; {@code comment} is its Javadoc, empty if there is none. */
    record Type(String name, ClassTree tree, String comment, long line) {}

    /** A method or constructor; lines from its modifiers to its closing brace. */
    record Method(ClassTree owner, MethodTree tree, String comment, long line, long lineCount) {}

    boolean isTest() {
        return file.toString().contains("/src/test/");
    }

    String simpleName() {
        return file.getFileName().toString().replace(".java", "");
    }

    String at(long line) {
        return Repository.at(file, line);
    }

    /** Parses all of them. */
    static List<JavaSource> all() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Path> files = Repository.files(".java");
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    manager,
                                    problem -> {},
                                    List.of("-proc:none"),
                                    null,
                                    manager.getJavaFileObjectsFromPaths(files));
            DocTrees trees = DocTrees.instance(task);
            List<JavaSource> sources = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                sources.add(of(unit, trees));
            }
            return sources;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JavaSource of(CompilationUnitTree unit, DocTrees trees) {
        Path file = Path.of(unit.getSourceFile().toUri());
        List<Type> types = new ArrayList<>();
        List<Method> methods = new ArrayList<>();
        SourcePositions positions = trees.getSourcePositions();
        new TreePathScanner<Void, ClassTree>() {
            @Override
            public Void visitClass(ClassTree tree, ClassTree outer) {
                types.add(
                        new Type(
                                tree.getSimpleName().toString(),
                                tree,
                                comment(),
                                line(positions.getStartPosition(unit, tree))));
                return super.visitClass(tree, tree);
            }

            @Override
            public Void visitMethod(MethodTree tree, ClassTree owner) {
                long start = positions.getStartPosition(unit, tree);
                long end = positions.getEndPosition(unit, tree);
                if (end > start) { // A record's own constructor has no text.
                    long lineCount = line(end) - line(start) + 1;
                    methods.add(new Method(owner, tree, comment(), line(start), lineCount));
                }
                return super.visitMethod(tree, owner);
            }

            private String comment() {
                TreePath path = getCurrentPath();
                String text = trees.getDocComment(path);
                return text == null ? "" : text;
            }

            private long line(long position) {
                return unit.getLineMap().getLineNumber(position);
            }
        }.scan(unit, null);
        return new JavaSource(file, Repository.lines(file), types, methods);
    }

    /** Whether a type is a record. */
    static boolean isRecord(ClassTree type) {
        return type.getKind() == Tree.Kind.RECORD;
    }
}
