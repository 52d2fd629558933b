package dev.medley.tenant.query;

import dev.medley.base.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/** Draws questions: sound ones, ones that probe for what they must not know, and wrong ones. */
final class DrawnQuery {
    private static final List<String> TEXTS = List.of("tenant", "region", "name");
    private static final List<String> NUMBERS = List.of("id", "spend", "score");
    private static final List<String> KINDS =
            List.of("count", "count_distinct", "sum", "mean", "min", "max");

    private final RandomGenerator random;

    DrawnQuery(RandomGenerator random) {
        this.random = random;
    }

    JsonNode draw() {
        Map<String, Object> query = new LinkedHashMap<>();
        query.put("table", random.nextInt(50) == 0 ? "../t" : "t");
        List<String> answer = new ArrayList<>();
        if (random.nextBoolean()) {
            List<String> groups = some(random.nextInt(3));
            answer.addAll(groups);
            query.put("group_by", groups);
            List<Map<String, Object>> aggregates = new ArrayList<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                String kind = pick(KINDS);
                boolean isCount = kind.equals("count") && random.nextBoolean();
                aggregates.add(Map.of(kind, isCount ? "*" : column(), "as", "a" + i));
                answer.add("a" + i);
            }
            query.put("aggregates", aggregates);
        } else if (random.nextInt(4) > 0) {
            List<String> columns = some(random.nextInt(1, 5));
            query.put("columns", columns);
            answer.addAll(SharedWorld.COLUMNS);
        } else {
            answer.addAll(SharedWorld.COLUMNS);
        }
        if (random.nextInt(4) > 0) {
            query.put("where", condition(random.nextInt(4)));
        }
        if (random.nextBoolean() && !answer.isEmpty()) {
            List<Object> order = new ArrayList<>();
            for (int i = random.nextInt(1, 3); i > 0; i--) {
                String by = random.nextInt(20) == 0 ? "nobody" : pick(answer);
                order.add(random.nextBoolean() ? by : Map.of("column", by, "order", "desc"));
            }
            query.put("order_by", order);
        }
        if (random.nextInt(3) == 0) {
            query.put("limit", random.nextInt(6));
        }
        if (random.nextInt(60) == 0) {
            query.put("sql", "SELECT * FROM t");
        }
        return Json.tree(query);
    }

    private List<String> some(int count) {
        List<String> names = new ArrayList<>();
        while (names.size() < count) {
            String name = column();
            if (!names.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }

    private String column() {
        return random.nextInt(40) == 0 ? "email" : pick(SharedWorld.COLUMNS);
    }

    private String condition(int depth) {
        if (depth > 0) {
            String left = condition(depth - 1);
            String right = condition(random.nextInt(depth));
            return switch (random.nextInt(3)) {
                case 0 -> "(%s) && (%s)".formatted(left, right);
                case 1 -> "(%s) || (%s)".formatted(left, right);
                default -> "!(%s)".formatted(left);
            };
        }
        return switch (random.nextInt(14)) {
            case 0 ->
                    "row.%s == '%s'".formatted(pick(TEXTS), pick(List.of("a", "b", "north", "x")));
            case 1 -> "row.%s != row.%s".formatted(pick(TEXTS), pick(TEXTS));
            case 2 ->
                    "row.region in ['north', 'south', \"it's \\\"here\\\"\", 'O\\u0308st', 'Öst']";
            case 3 -> "row.name.startsWith('%s')".formatted(pick(List.of("CANARY", "7", "a", "")));
            case 4 -> "row.name.contains('%s')".formatted(pick(List.of("7f3a1", "%", "_", "\\\\")));
            case 5 -> "row.name.size() > %d".formatted(random.nextInt(70));
            // Oracles: what fails for a row must not tell that there is such a row.
            case 6 -> "1 / (row.id - %d) > -2".formatted(random.nextInt(300));
            case 7 -> "%d %% (row.score - %d) == 0".formatted(random.nextInt(9), random.nextInt(5));
            case 8 -> "row.score * row.score * %d > 0".formatted(Long.MAX_VALUE / 2);
            case 9 -> "row.score + %d > row.id".formatted(Long.MAX_VALUE - random.nextInt(3));
            case 10 -> "row.%s >= %s".formatted(pick(NUMBERS), number());
            case 11 -> "row.%s %s null".formatted(column(), pick(List.of("==", "!=")));
            case 12 -> "row.since < date('2026-05-%d')".formatted(random.nextInt(10, 30));
            default ->
                    pick(
                            List.of(
                                    "row.active",
                                    "row.spend / row.score > 1",
                                    "row.name > 3",
                                    "caller.tenant == 'a'",
                                    "row.id in [1, 2.5, 3, 100]",
                                    "-row.score < row.spend",
                                    "row.name == \"'; DROP TABLE extract; --\"",
                                    "row.nmae == 'x'",
                                    "row.name =="));
        };
    }

    private String number() {
        return random.nextBoolean()
                ? String.valueOf(random.nextInt(-5, 300))
                : String.valueOf(random.nextInt(-400, 400) / 8.0);
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
