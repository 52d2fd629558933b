package dev.medley.hub;

import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.Quantity;
import dev.medley.api.yaml.YamlFile;
import dev.medley.base.ConfigException;
import dev.medley.fleet.policy.quota.GroupShare;
import dev.medley.fleet.policy.quota.Reservation;
import dev.medley.fleet.policy.quota.ShareOptions;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Reads what groups of a fleet are promised, in YAML. Whatever is wrong with it is one {@link
 * ConfigException} with a line {@code file:line:column: message} for each error.
 *
 * <pre>
 * half_life: 24h            # after which what was used counts half
 * groups:
 *   research: {weight: 2}   # twice the share of others
 *   interns: {quota: 4}     # machines at most at once
 * reservations:
 *   - {group: research, type: gpu, machines: 2, from: 2026-12-01T08:00Z, to: 2026-12-01T18:00Z}
 * </pre>
 */
public final class SharesFile {
    private static final List<String> KEYS = List.of("half_life", "groups", "reservations");
    private static final List<String> GROUP_KEYS = List.of("weight", "quota");
    private static final List<String> RESERVATION_KEYS =
            List.of("group", "type", "machines", "from", "to");

    private final YamlFile file;

    private SharesFile(YamlFile file) {
        this.file = file;
    }

    /** Reads a file, UTF-8. */
    public static ShareOptions read(Path file) {
        YamlFile yaml = YamlFile.read(file, "shares", "", KEYS);
        ShareOptions options = new SharesFile(yaml).options();
        yaml.throwIfAny();
        return options;
    }

    private ShareOptions options() {
        JsonNode root = file.root();
        double halfLifeS = ShareOptions.HALF_LIFE_S;
        if (root.has("half_life")) {
            halfLifeS = halfLifeS();
        }
        Map<String, GroupShare> groups = new LinkedHashMap<>();
        String pointer = Pointer.child(Pointer.ROOT, "groups");
        JsonNode named = root.path("groups");
        if (!isLeftOut(named) && !named.isObject()) {
            file.complain(
                    Pointer.ROOT, "groups", "groups: names with what each has, such as a: {}");
        }
        for (String group : named.propertyNames()) {
            if (!named.path(group).isObject() && !isLeftOut(named.path(group))) {
                file.complain(pointer, group, group + ": what it has, such as {weight: 2}");
            }
            groups.put(group, group(named.path(group), Pointer.child(pointer, group)));
        }
        List<Reservation> reservations = new ArrayList<>();
        String list = Pointer.child(Pointer.ROOT, "reservations");
        JsonNode all = root.path("reservations");
        if (!isLeftOut(all) && !all.isArray()) {
            file.complain(
                    Pointer.ROOT,
                    "reservations",
                    "reservations: a list, as in - {group: research, type: gpu, machines: 2, …}");
        }
        for (int i = 0; all.isArray() && i < all.size(); i++) {
            reservation(all.get(i), Pointer.child(list, i), reservations);
        }
        return new ShareOptions(groups, reservations, halfLifeS);
    }

    private static boolean isLeftOut(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private double halfLifeS() {
        try {
            double seconds = Quantity.durationNs(file.root().path("half_life").asString("")) / 1e9;
            if (seconds > 0) {
                return seconds;
            }
        } catch (RuntimeException e) {
            // Said below, as what is not above 0.
        }
        file.complain(Pointer.ROOT, "half_life", "half_life: a time above 0, such as 24h");
        return ShareOptions.HALF_LIFE_S;
    }

    private GroupShare group(JsonNode node, String pointer) {
        file.refuseUnknown(node, pointer, GROUP_KEYS);
        JsonNode weight = node.path("weight");
        boolean isWeight = weight.isMissingNode() || weight.isNumber() && weight.doubleValue() > 0;
        if (!isWeight) {
            file.complain(pointer, "weight", "weight: a number above 0");
        }
        JsonNode quota = node.path("quota");
        boolean isQuota =
                quota.isMissingNode()
                        || quota.isIntegralNumber()
                                && quota.canConvertToInt()
                                && quota.intValue() >= 0;
        if (!isQuota) {
            file.complain(pointer, "quota", "quota: a whole number of machines, 0 or more");
        }
        return new GroupShare(
                isWeight && weight.isNumber() ? weight.doubleValue() : 1,
                isQuota && quota.isNumber() ? quota.intValue() : Integer.MAX_VALUE);
    }

    private void reservation(JsonNode node, String pointer, List<Reservation> reservations) {
        file.refuseUnknown(node, pointer, RESERVATION_KEYS);
        String group = node.path("group").asString("");
        String type = node.path("type").asString("");
        if (group.isBlank() || type.isBlank()) {
            file.complain(pointer, "group", "a reservation names a group and a type of machines");
            return;
        }
        JsonNode machines = node.path("machines");
        boolean isCount =
                machines.isIntegralNumber()
                        && machines.canConvertToInt()
                        && machines.intValue() >= 1;
        if (!isCount) {
            file.complain(pointer, "machines", "machines: a whole number, 1 or more");
        }
        double fromS = momentS(node, pointer, "from");
        double toS = momentS(node, pointer, "to");
        if (fromS >= toS) {
            file.complain(pointer, "to", "to: a moment after from");
        } else if (isCount && !Double.isNaN(fromS) && !Double.isNaN(toS)) {
            reservations.add(new Reservation(group, type, machines.intValue(), fromS, toS));
        }
    }

    /** NaN where it is none, which is said. */
    private double momentS(JsonNode node, String pointer, String key) {
        String text = node.path(key).asString("");
        try {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli() / 1e3;
        } catch (DateTimeParseException | ArithmeticException e) {
            file.complain(pointer, key, key + ": a moment such as 2026-12-01T08:00Z");
            return Double.NaN;
        }
    }
}
