package dev.medley.cli.fleet.study;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.YamlFile;
import dev.medley.base.ConfigException;
import dev.medley.fleet.view.MachineType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Reads which machines a fleet has: {@code 36:36:36} for V100, P100 and K80 as in Gavel, {@code
 * big=4,small=12}, or a file in YAML or JSON. Whatever is wrong with a file is one {@link
 * ConfigException} with a line {@code file:line:column: message} for each error.
 *
 * <pre>
 * currency: USD                                   # optional
 * machines:
 *   - {name: v100, count: 36, price_per_hour: 2.48}
 *   - {name: k80, count: 36, price_per_hour: 0.45}   # a price for all types, or for none
 * </pre>
 */
final class FleetFile {
    private static final List<String> GAVELS = List.of("v100", "p100", "k80");
    private static final List<String> KEYS = List.of("currency", "machines");
    private static final List<String> MACHINE_KEYS = List.of("name", "count", "price_per_hour");

    /** Holds what was read; the currency is of no meaning where there are no prices. */
    record Machines(List<MachineType> types, String currency) {}

    private final YamlFile file;
    private final Set<String> names = new HashSet<>();

    private FleetFile(YamlFile file) {
        this.file = file;
    }

    /** Machines by what the user wrote. */
    static Machines read(String words) {
        if (words.matches("\\d+(:\\d+)*")) {
            String[] counts = words.split(":");
            check(
                    counts.length == GAVELS.size(),
                    "%s: give three numbers, of V100, P100 and K80; or names, as in big=4,small=12",
                    words);
            List<MachineType> types = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                types.add(MachineType.of(GAVELS.get(i), count(words, counts[i])));
            }
            return new Machines(types, "");
        }
        if (words.matches("[^=,/]+=\\d+(,[^=,/]+=\\d+)*")) {
            List<MachineType> types = new ArrayList<>();
            for (String one : words.split(",")) {
                String[] parts = one.split("=");
                check(
                        types.stream().noneMatch(type -> type.name().equals(parts[0])),
                        "%s: %s is there twice",
                        words,
                        parts[0]);
                types.add(MachineType.of(parts[0], count(words, parts[1])));
            }
            return new Machines(types, "");
        }
        return file(Path.of(words));
    }

    private static int count(String words, String text) {
        check(text.length() <= 7, "%s: %s machines are too many", words, text);
        return Integer.parseInt(text);
    }

    private static Machines file(Path file) {
        YamlFile yaml = YamlFile.read(file, "a fleet", "or give numbers, as in 36:36:36", KEYS);
        Machines machines = new FleetFile(yaml).machines();
        yaml.throwIfAny();
        return machines;
    }

    private Machines machines() {
        JsonNode root = file.root();
        String pointer = Pointer.child(Pointer.ROOT, "machines");
        JsonNode list = root.path("machines");
        if (!list.isArray() || list.isEmpty()) {
            file.complain(
                    Pointer.ROOT,
                    "machines",
                    "machines: a list of types, as in - {name: v100, count: 36}");
            return new Machines(List.of(), "");
        }
        boolean priced = list.valueStream().anyMatch(one -> one.has("price_per_hour"));
        List<MachineType> types = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            types.add(type(list.get(i), Pointer.child(pointer, i), priced));
        }
        return new Machines(types, root.path("currency").asString("USD"));
    }

    private MachineType type(JsonNode one, String pointer, boolean priced) {
        file.refuseUnknown(one, pointer, MACHINE_KEYS);
        String name = one.path("name").asString("");
        if (name.isBlank()) {
            file.complain(pointer, "name", "a type of machines has no name");
            name = "?";
        } else if (!names.add(name)) {
            file.complain(pointer, "name", name + " is there twice");
        }
        JsonNode count = one.path("count");
        boolean counted =
                count.isIntegralNumber() && count.canConvertToInt() && count.intValue() >= 0;
        if (!counted) {
            file.complain(
                    pointer, "count", name + ": count: a whole number of machines, 0 or more");
        }
        JsonNode price = one.path("price_per_hour");
        boolean said = price.isNumber() && price.doubleValue() >= 0;
        if (priced && !said) {
            file.complain(
                    pointer,
                    "price_per_hour",
                    name + " has no price_per_hour of 0 or more; give one for all types or none");
        }
        return new MachineType(
                name, counted ? count.intValue() : 0, said ? price.doubleValue() : Double.NaN);
    }
}
