package dev.medley.hub;

import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.Quantity;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.api.yaml.YamlTree;
import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.text.DidYouMean;
import dev.medley.fleet.policy.quota.GroupShare;
import dev.medley.fleet.policy.quota.Reservation;
import dev.medley.fleet.policy.quota.ShareOptions;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
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
    private static final int LARGEST_BYTES = 1 << 20;
    private static final List<String> KEYS = List.of("half_life", "groups", "reservations");
    private static final List<String> GROUP_KEYS = List.of("weight", "quota");
    private static final List<String> RESERVATION_KEYS =
            List.of("group", "type", "machines", "from", "to");

    private final JsonNode root;
    private final SourcePositions places;
    private final Complaints complaints;

    private SharesFile(JsonNode root, SourcePositions places, Complaints complaints) {
        this.root = root;
        this.places = places;
        this.complaints = complaints;
    }

    /** Reads a file, UTF-8. */
    public static ShareOptions read(Path file) {
        String name = file.toString();
        Complaints complaints = new Complaints(name);
        SourcePositions places = new SourcePositions();
        JsonNode tree = YamlTree.ofFile(text(file), places, complaints);
        complaints.throwIfAny();
        if (tree == null || !tree.isObject()) {
            throw new ConfigException(
                    name + ":1:1: a mapping with the keys " + String.join(", ", KEYS));
        }
        ShareOptions options = new SharesFile(tree, places, complaints).options();
        complaints.throwIfAny();
        return options;
    }

    private static String text(Path file) {
        try {
            return NamedFile.text(file, LARGEST_BYTES);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": there is no such file of shares", e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private ShareOptions options() {
        refuseUnknown(root, Pointer.ROOT, KEYS);
        double halfLifeS = ShareOptions.HALF_LIFE_S;
        if (root.has("half_life")) {
            halfLifeS = halfLifeS(Pointer.child(Pointer.ROOT, "half_life"));
        }
        Map<String, GroupShare> groups = new LinkedHashMap<>();
        String pointer = Pointer.child(Pointer.ROOT, "groups");
        JsonNode named = root.path("groups");
        for (String group : named.propertyNames()) {
            groups.put(group, group(named.path(group), Pointer.child(pointer, group)));
        }
        List<Reservation> reservations = new ArrayList<>();
        String list = Pointer.child(Pointer.ROOT, "reservations");
        JsonNode all = root.path("reservations");
        for (int i = 0; i < all.size(); i++) {
            reservation(all.get(i), Pointer.child(list, i), reservations);
        }
        return new ShareOptions(groups, reservations, halfLifeS);
    }

    private double halfLifeS(String pointer) {
        try {
            double seconds = Quantity.durationNs(root.path("half_life").asString("")) / 1e9;
            if (seconds > 0) {
                return seconds;
            }
        } catch (RuntimeException e) {
            // Said below, as what is not above 0.
        }
        complaints.add(places.ofKey(pointer), "half_life: a time above 0, such as 24h");
        return ShareOptions.HALF_LIFE_S;
    }

    private GroupShare group(JsonNode node, String pointer) {
        refuseUnknown(node, pointer, GROUP_KEYS);
        JsonNode weight = node.path("weight");
        boolean isWeight = weight.isMissingNode() || weight.isNumber() && weight.doubleValue() > 0;
        if (!isWeight) {
            complain(pointer, "weight", "weight: a number above 0");
        }
        JsonNode quota = node.path("quota");
        boolean isQuota =
                quota.isMissingNode()
                        || quota.isIntegralNumber()
                                && quota.canConvertToInt()
                                && quota.intValue() >= 0;
        if (!isQuota) {
            complain(pointer, "quota", "quota: a whole number of machines, 0 or more");
        }
        return new GroupShare(
                isWeight && weight.isNumber() ? weight.doubleValue() : 1,
                isQuota && quota.isNumber() ? quota.intValue() : Integer.MAX_VALUE);
    }

    private void reservation(JsonNode node, String pointer, List<Reservation> reservations) {
        refuseUnknown(node, pointer, RESERVATION_KEYS);
        String group = node.path("group").asString("");
        String type = node.path("type").asString("");
        if (group.isBlank() || type.isBlank()) {
            complain(pointer, "group", "a reservation names a group and a type of machines");
            return;
        }
        JsonNode machines = node.path("machines");
        boolean isCount =
                machines.isIntegralNumber()
                        && machines.canConvertToInt()
                        && machines.intValue() >= 1;
        if (!isCount) {
            complain(pointer, "machines", "machines: a whole number, 1 or more");
        }
        double fromS = momentS(node, pointer, "from");
        double toS = momentS(node, pointer, "to");
        if (fromS >= toS) {
            complain(pointer, "to", "to: a moment after from");
        } else if (isCount && !Double.isNaN(fromS) && !Double.isNaN(toS)) {
            reservations.add(new Reservation(group, type, machines.intValue(), fromS, toS));
        }
    }

    /** NaN where it is none, which is said. */
    private double momentS(JsonNode node, String pointer, String key) {
        String text = node.path(key).asString("");
        try {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli() / 1e3;
        } catch (DateTimeParseException e) {
            complain(pointer, key, key + ": a moment such as 2026-12-01T08:00Z");
            return Double.NaN;
        }
    }

    private void refuseUnknown(JsonNode node, String pointer, List<String> known) {
        for (String key : node.propertyNames()) {
            if (!known.contains(key)) {
                String hint =
                        DidYouMean.of(key, known)
                                .map("did you mean %s?"::formatted)
                                .orElse("it has " + String.join(", ", known));
                complaints.add(
                        places.ofKey(Pointer.child(pointer, key)),
                        "%s is no key of shares; %s".formatted(key, hint));
            }
        }
    }

    private void complain(String pointer, String key, String message) {
        String child = Pointer.child(pointer, key);
        complaints.add(places.has(child) ? places.ofKey(child) : places.ofValue(pointer), message);
    }
}
