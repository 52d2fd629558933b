package dev.medley.tenant.query;

import dev.medley.base.Seeds;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.read.SharedTables;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Holds a shared table under a policy, and for each caller a copy in which plain Java has filtered
 * the rows and masked the values.
 */
final class SharedWorld {
    static final List<String> COLUMNS =
            List.of("id", "tenant", "region", "name", "spend", "score", "active", "since");
    private static final List<String> TYPES =
            List.of(
                    "BIGINT", "VARCHAR", "VARCHAR", "VARCHAR", "DOUBLE", "BIGINT", "BOOLEAN",
                    "DATE");
    private static final List<String> REGIONS = List.of("north", "south", "it's \"here\"", "Öst");
    private static final String TEXT_TYPES =
            "types: {id: integer, spend: real, score: integer, active: boolean, since: date}, ";
    private static final byte[] KEY =
            "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    private final RandomGenerator random;
    private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    private final int policy;
    private final TenantTables shared;
    private final Map<String, TenantTables> copies = new HashMap<>();

    SharedWorld(Path folder, long seed) throws IOException {
        random = Seeds.generator(seed);
        int count = random.nextInt(5, 300);
        for (int i = 0; i < count; i++) {
            rows.add(row(i));
        }
        policy = random.nextInt(3);
        int form = random.nextInt(3);
        SharedTables tables = new SharedTables(folder.resolve("shared"));
        String sql = sql(rows, COLUMNS, TYPES);
        String place =
                switch (form) {
                    case 0 -> "files: data/t.csv, " + TEXT_TYPES;
                    case 1 -> "files: data/t.jsonl, " + TEXT_TYPES;
                    default -> "files: data/t.parquet, ";
                };
        shared =
                (form == 0
                                ? tables.csv("t", sql)
                                : form == 1 ? tables.json("t", sql) : tables.parquet("t", sql))
                        .open("t: {%srows: \"%s\"%s}".formatted(place, filter(), masks()), CALLERS);
        for (TenantCaller caller : callers()) {
            copies.put(caller.name(), copy(folder, caller));
        }
    }

    private static final String CALLERS =
            """
            alice: {attributes: {tenant: a, role: analyst, regions: [north, south], level: 3}}
            bob: {attributes: {tenant: b, role: clerk, regions: ["it's \\"here\\"", "Öst"], level: 2}}
            carol: {attributes: {tenant: c, role: clerk, regions: [], level: 1}}
            """;

    static List<TenantCaller> callers() {
        return List.of(
                caller("alice", "a", "analyst", List.of("north", "south"), 3),
                caller("bob", "b", "clerk", List.of("it's \"here\"", "Öst"), 2),
                caller("carol", "c", "clerk", List.of(), 1));
    }

    private static TenantCaller caller(
            String name, String tenant, String role, List<String> regions, long level) {
        return new TenantCaller(
                name, Map.of("tenant", tenant, "role", role, "regions", regions, "level", level));
    }

    TenantTables shared() {
        return shared;
    }

    TenantTables copyFor(TenantCaller caller) {
        return java.util.Objects.requireNonNull(copies.get(caller.name()));
    }

    private Map<String, @Nullable Object> row(int i) {
        Map<String, @Nullable Object> row = new HashMap<>();
        row.put("id", (long) i);
        row.put("tenant", List.of("a", "b", "c", "a").get(random.nextInt(4)));
        row.put("region", REGIONS.get(random.nextInt(REGIONS.size())));
        row.put("name", SharedTables.CANARY.substring(random.nextInt(4)) + random.nextInt(20));
        row.put("spend", random.nextInt(-400, 400) / 8.0);
        row.put("score", random.nextInt(10) == 0 ? Long.MAX_VALUE - i : random.nextLong(-5, 6));
        row.put("active", random.nextBoolean());
        row.put("since", "2026-0%d-1%d".formatted(random.nextInt(1, 10), random.nextInt(10)));
        for (String column : COLUMNS.subList(1, COLUMNS.size())) {
            if (random.nextInt(8) == 0) {
                row.put(column, null);
            }
        }
        return row;
    }

    private String filter() {
        return switch (policy) {
            case 0 -> "row.tenant == caller.tenant";
            case 1 -> "row.region in caller.regions && (row.tenant != 'c' || row.score * 2 > 3)";
            default -> "!(row.tenant != caller.tenant) && row.score / (caller.level - 2) < 3";
        };
    }

    private boolean isSeen(Map<String, @Nullable Object> row, TenantCaller caller) {
        Object tenant = row.get("tenant");
        Object region = row.get("region");
        Object score = row.get("score");
        boolean isOwn = caller.attributes().get("tenant").equals(tenant);
        return switch (policy) {
            case 0 -> isOwn;
            case 1 -> {
                boolean isIn =
                        region != null
                                && ((List<?>) caller.attributes().get("regions")).contains(region);
                boolean isLarge =
                        score != null && (long) score < Long.MAX_VALUE / 2 && (long) score * 2 > 3;
                yield isIn && ((tenant != null && !tenant.equals("c")) || isLarge);
            }
            default -> {
                long by = (long) caller.attributes().get("level") - 2;
                yield isOwn && score != null && by != 0 && (long) score / by < 3;
            }
        };
    }

    private String masks() {
        String analysts = "unless: \"caller.role == 'analyst'\"";
        return switch (policy) {
            case 0 ->
                    ", masks: [{columns: name, %s, with: hash}, {columns: spend, with: {round: 0}}]"
                            .formatted(analysts);
            case 1 ->
                    ", masks: [{columns: [name, since], %s, with: drop}, {columns: score, with: null}]"
                            .formatted(analysts);
            default ->
                    ", masks: [{columns: name, with: {last: 2}}, {columns: region, %s, with: {constant: x}}]"
                            .formatted(analysts);
        };
    }

    /** What a column holds for a caller; the key {@code drop} where it is not there. */
    private @Nullable Object masked(String column, @Nullable Object value, TenantCaller caller) {
        boolean isAnalyst = caller.attributes().get("role").equals("analyst");
        return switch (policy + column) {
            case "0name" -> isAnalyst || value == null ? value : hash(caller, (String) value);
            case "0spend" -> value == null ? null : rounded((double) value);
            case "1score" -> null;
            case "2name" -> {
                String text = (String) value;
                yield text == null
                        ? null
                        : text.length() > 2 ? text.substring(text.length() - 2) : "";
            }
            case "2region" -> isAnalyst ? value : "x";
            default -> value;
        };
    }

    private static double rounded(double value) {
        return Math.copySign(Math.floor(Math.abs(value) + 0.5), value);
    }

    private static String hash(TenantCaller caller, String value) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
            byte[] own =
                    mac.doFinal(
                            ("tenant:" + caller.attributes().get("tenant"))
                                    .getBytes(StandardCharsets.UTF_8));
            mac.init(new SecretKeySpec(own, "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(value.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private TenantTables copy(Path folder, TenantCaller caller) throws IOException {
        boolean isAnalyst = caller.attributes().get("role").equals("analyst");
        List<String> columns = new ArrayList<>(COLUMNS);
        List<String> types = new ArrayList<>(TYPES);
        if (policy == 1 && !isAnalyst) {
            columns.remove("name");
            types.remove(3);
            columns.remove("since");
            types.remove("DATE");
        }
        List<Map<String, @Nullable Object>> seen = new ArrayList<>();
        for (Map<String, @Nullable Object> row : rows) {
            if (isSeen(row, caller)) {
                Map<String, @Nullable Object> shown = new HashMap<>();
                row.forEach((column, value) -> shown.put(column, masked(column, value, caller)));
                seen.add(shown);
            }
        }
        Path place = Files.createDirectories(folder.resolve("copy-" + caller.name()));
        return new SharedTables(place)
                .parquet("t", sql(seen, columns, types))
                .open("t: {files: data/t.parquet, rows: all}", CALLERS);
    }

    private static String sql(
            List<Map<String, @Nullable Object>> rows, List<String> columns, List<String> types) {
        List<String> values = new ArrayList<>();
        for (Map<String, @Nullable Object> row : rows) {
            values.add(
                    columns.stream()
                            .map(c -> literal(row.get(c)))
                            .collect(Collectors.joining(", ", "(", ")")));
        }
        List<String> typed = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            typed.add("CAST(%1$s AS %2$s) AS %1$s".formatted(columns.get(i), types.get(i)));
        }
        boolean isEmpty = values.isEmpty();
        if (isEmpty) {
            values.add(
                    columns.stream().map(c -> "NULL").collect(Collectors.joining(", ", "(", ")")));
        }
        return "SELECT %s FROM (VALUES %s) AS t(%s)%s"
                .formatted(
                        String.join(", ", typed),
                        String.join(", ", values),
                        String.join(", ", columns),
                        isEmpty ? " WHERE false" : "");
    }

    private static String literal(@Nullable Object value) {
        if (value == null) {
            return "NULL";
        }
        return value instanceof String text
                ? "'" + text.replace("'", "''") + "'"
                : value instanceof Double ? value + "::DOUBLE" : value.toString();
    }
}
