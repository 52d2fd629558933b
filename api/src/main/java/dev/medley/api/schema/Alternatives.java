package dev.medley.api.schema;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import dev.medley.api.yaml.Pointer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Selects, among the errors of {@code anyOf}, those of the alternative that the user meant. It is
 * the one of the right type, with the right family in it. A validator reports all alternatives,
 * which for {@code model: {family: mlp, hiden: [4]}} is a dozen errors about families that nobody
 * mentioned.
 */
final class Alternatives {
    /** One {@code anyOf} of the schema, applied to one place of the job. */
    private record Choice(String schemaPath, String instance) {}

    private Alternatives() {}

    static List<Error> meant(List<Error> errors) {
        List<Error> result = new ArrayList<>(errors);
        for (int depth = 0; ; depth++) {
            Map<Choice, Map<String, List<Error>>> choices = new LinkedHashMap<>();
            for (Error error : result) {
                sort(error, depth, choices);
            }
            if (choices.isEmpty()) {
                return result;
            }
            choices.forEach(
                    (choice, branches) -> {
                        List<Error> kept = best(choice, branches);
                        branches.values().forEach(result::removeAll);
                        result.addAll(kept);
                    });
        }
    }

    /**
     * Puts an error to its branch of the {@code depth}-th {@code anyOf} on its way, and finds how
     * much of the instance's path lies before that: a property or an item is one step down.
     */
    private static void sort(
            Error error, int depth, Map<Choice, Map<String, List<Error>>> choices) {
        NodePath path = error.getEvaluationPath();
        int down = 0;
        int seen = 0;
        for (int i = 0; i < path.getNameCount(); i++) {
            switch (path.getName(i)) {
                case "anyOf" -> {
                    if (seen++ == depth) {
                        String instance = prefix(error.getInstanceLocation(), down);
                        choices.computeIfAbsent(
                                        new Choice(prefix(path, i), instance),
                                        c -> new LinkedHashMap<>())
                                .computeIfAbsent(path.getName(i + 1), b -> new ArrayList<>())
                                .add(error);
                        return;
                    }
                    i++;
                }
                case "properties" -> {
                    i++;
                    down++;
                }
                case "items", "additionalProperties" -> down++;
                default -> {}
            }
        }
    }

    private static String prefix(NodePath path, int count) {
        StringBuilder prefix = new StringBuilder();
        for (int i = 0; i < Math.min(count, path.getNameCount()); i++) {
            prefix.append('/').append(path.getName(i));
        }
        return prefix.toString();
    }

    private static List<Error> best(Choice choice, Map<String, List<Error>> branches) {
        List<Error> noFamily = only(branches, e -> isFamilyMissing(choice, e));
        if (!noFamily.isEmpty() && !noFamily.get(0).getInstanceNode().has("class")) {
            return noFamily.subList(0, 1);
        }
        int least =
                branches.values().stream().mapToInt(b -> mismatch(choice, b)).min().orElseThrow();
        List<List<Error>> nearest =
                branches.values().stream().filter(b -> mismatch(choice, b) == least).toList();
        return switch (least) {
            case 0 -> nearest.stream().min(Comparator.comparingInt(List::size)).orElseThrow();
            case 1 -> only(branches, e -> isOtherFamily(choice, e));
            default -> nearest.stream().flatMap(List::stream).toList();
        };
    }

    private static List<Error> only(Map<String, List<Error>> branches, Predicate<Error> kind) {
        return branches.values().stream().flatMap(List::stream).filter(kind).toList();
    }

    /** 0: this branch was meant; 1: it is for another family; 2: it is of another type. */
    private static int mismatch(Choice choice, List<Error> errors) {
        if (errors.stream().anyMatch(e -> isOtherType(choice, e))) {
            return 2;
        }
        boolean isOther =
                errors.stream()
                        .anyMatch(e -> isOtherFamily(choice, e) || isFamilyMissing(choice, e));
        return isOther ? 1 : 0;
    }

    private static boolean isOtherType(Choice choice, Error error) {
        boolean isOther =
                switch (error.getKeyword()) {
                    case "type" -> true;
                    case "enum" -> !error.getInstanceNode().isString();
                    default -> false;
                };
        return isOther && instance(error).equals(choice.instance());
    }

    private static boolean isOtherFamily(Choice choice, Error error) {
        return error.getKeyword().equals("const")
                && Pointer.parent(instance(error)).equals(choice.instance());
    }

    private static boolean isFamilyMissing(Choice choice, Error error) {
        return error.getKeyword().equals("required")
                && error.getProperty().equals("family")
                && instance(error).equals(choice.instance());
    }

    private static String instance(Error error) {
        return prefix(error.getInstanceLocation(), Integer.MAX_VALUE);
    }
}
