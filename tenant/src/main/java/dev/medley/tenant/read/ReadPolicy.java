package dev.medley.tenant.read;

import dev.medley.base.text.DidYouMean;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.expression.CheckedExpression;
import dev.medley.tenant.expression.SqlFragment;
import dev.medley.tenant.expression.ValueType;
import dev.medley.tenant.policy.ColumnMask;
import dev.medley.tenant.policy.MaskRule;
import dev.medley.tenant.policy.PolicyFile;
import dev.medley.tenant.policy.SeenRows;
import dev.medley.tenant.policy.SourceColumn;
import dev.medley.tenant.policy.TablePlace;
import dev.medley.tenant.policy.TablePolicy;
import dev.medley.tenant.policy.TenantPolicies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a caller sees of a table. What is not allowed in plain words is denied: a caller who
 * is not in the file, a table without {@code rows:}, an attribute that he lacks.
 */
final class ReadPolicy {
    private final TenantPolicies policies;
    private final @Nullable HashKey key;

    /** Decides by a file of policies; {@code key} is there if any column is hashed. */
    ReadPolicy(TenantPolicies policies, @Nullable HashKey key) {
        this.policies = policies;
        this.key = key;
    }

    /** Decides; the same for the same caller, table and policies. */
    ReadDecision decide(TenantCaller caller, String table) {
        if (!policies.callers().containsKey(caller.name())) {
            return new ReadDecision.Denied("the policies know no such caller");
        }
        TablePolicy policy = policies.tables().get(table);
        if (policy == null) {
            return new ReadDecision.Denied("there is no such table");
        }
        if (policy.rows() instanceof SeenRows.Unsaid) {
            return new ReadDecision.Denied(
                    "no rows of table %s are allowed to anybody: its policy has no rows:"
                            .formatted(table));
        }
        Optional<String> lack = lack(caller, policy);
        return lack.isPresent() ? new ReadDecision.Denied(lack.get()) : allowed(caller, policy);
    }

    /** Why the caller's attributes do not do for a table. */
    private Optional<String> lack(TenantCaller caller, TablePolicy policy) {
        Set<String> needed = new TreeSet<>();
        if (policy.rows() instanceof SeenRows.Where where) {
            needed.addAll(where.condition().attributes());
        }
        for (MaskRule mask : policy.masks()) {
            if (mask.unless() != null) {
                needed.addAll(mask.unless().attributes());
            }
        }
        if (policy.place() instanceof TablePlace.OfPostgres postgres) {
            if (postgres.role() != null) {
                needed.add(postgres.role());
            }
            needed.addAll(postgres.settings().values());
        }
        for (String name : needed) {
            Object value = caller.attributes().get(name);
            if (value == null) {
                String hint =
                        DidYouMean.of(name, caller.attributes().keySet())
                                .map(n -> " (there is '%s')".formatted(n))
                                .orElse("");
                return Optional.of(
                        "the caller has no attribute '%s'%s, which the policy of table %s asks for"
                                .formatted(name, hint, policy.name()));
            }
            ValueType said = typeOf(name);
            if (said != PolicyFile.typeOf(value)) {
                return Optional.of(
                        "the caller's attribute '%s' is %s, but the policies say %s"
                                .formatted(name, PolicyFile.typeOf(value).words(), said.words()));
            }
        }
        return Optional.empty();
    }

    /** The type that all callers of the file have for an attribute. */
    private ValueType typeOf(String attribute) {
        return policies.callers().values().stream()
                .map(c -> c.caller().attributes().get(attribute))
                .filter(v -> v != null)
                .findFirst()
                .map(PolicyFile::typeOf)
                .orElse(ValueType.MISSING);
    }

    private ReadDecision allowed(TenantCaller caller, TablePolicy policy) {
        Map<String, ColumnMask> masks = new LinkedHashMap<>();
        for (MaskRule rule : policy.masks()) {
            CheckedExpression unless = rule.unless();
            if (unless == null || !unless.holdsFor(caller.attributes())) {
                rule.columns().forEach(c -> masks.put(c, rule.mask()));
            }
        }
        List<VisibleColumn> columns = new ArrayList<>();
        List<String> masked = new ArrayList<>();
        for (SourceColumn column : policy.source()) {
            ColumnMask mask = masks.get(column.name());
            if (!policy.visible().contains(column.name()) || mask instanceof ColumnMask.Dropped) {
                continue;
            }
            columns.add(MaskSql.column(column, mask, pads(caller, mask)));
            if (mask != null) {
                masked.add(column.name());
            }
        }
        if (columns.isEmpty()) {
            return new ReadDecision.Denied(
                    "no column of table %s is left to the caller".formatted(policy.name()));
        }
        String rows =
                policy.rows() instanceof SeenRows.Where where
                        ? "rows where " + where.condition().text()
                        : "all rows";
        String why =
                "%s; %d of %d columns%s"
                        .formatted(
                                rows,
                                columns.size(),
                                policy.source().size(),
                                masked.isEmpty() ? "" : ", masked: " + String.join(", ", masked));
        return new ReadDecision.Allowed(policy.name(), filter(caller, policy), columns, why);
    }

    private List<String> pads(TenantCaller caller, @Nullable ColumnMask mask) {
        if (!(mask instanceof ColumnMask.Hashed)) {
            return List.of();
        } else if (key == null) {
            throw new IllegalStateException("a column is hashed without a key");
        }
        return key.pads(caller);
    }

    private static SqlFragment filter(TenantCaller caller, TablePolicy policy) {
        return policy.rows() instanceof SeenRows.Where where
                ? where.condition().sql(caller.attributes())
                : new SqlFragment("TRUE", List.of());
    }
}
