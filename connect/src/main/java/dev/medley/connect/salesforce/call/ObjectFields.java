package dev.medley.connect.salesforce.call;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Lists the fields of an object that the user may see, as the org describes it. */
public record ObjectFields(String object, List<ObjectField> fields) {
    /** Copies the list. */
    public ObjectFields {
        fields = List.copyOf(fields);
    }

    /** Asks the org; an object that is not there is the user's error, with the likeliest name. */
    public static ObjectFields of(SalesforceCalls calls, String object) throws IOException {
        ConfigException.check(
                object.matches("[A-Za-z]\\w*"),
                "'%s' is no name of a Salesforce object: give one such as Account or Order__c",
                object);
        JsonNode said;
        try {
            said = calls.json(OrgCall.get("/sobjects/" + object + "/describe"));
        } catch (SalesforceRefusal e) {
            if (e.isGone()) {
                throw noObject(calls, object, e);
            }
            throw e;
        }
        List<ObjectField> fields = new ArrayList<>();
        for (JsonNode field : said.path("fields")) {
            fields.add(field(field));
        }
        return new ObjectFields(said.path("name").asString(object), fields);
    }

    private static ConfigException noObject(
            SalesforceCalls calls, String object, SalesforceRefusal cause) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode one : calls.json(OrgCall.get("/sobjects")).path("sobjects")) {
            names.add(one.path("name").asString(""));
        }
        return new ConfigException(
                "Salesforce shows no object '%s'%s: check its API name and the user's rights"
                        .formatted(object, mean(object, names)),
                cause);
    }

    private static String mean(String word, List<String> names) {
        Optional<String> near = DidYouMean.of(word, names);
        return near.map(name -> "; did you mean '" + name + "'?").orElse("");
    }

    private static ObjectField field(JsonNode json) {
        boolean isWritable =
                json.path("updateable").asBoolean(false)
                        && json.path("createable").asBoolean(false);
        return new ObjectField(
                json.path("name").asString(),
                json.path("label").asString(""),
                json.path("type").asString(),
                json.path("length").asInt(0),
                json.path("precision").asInt(0),
                json.path("scale").asInt(0),
                json.path("nillable").asBoolean(true),
                json.path("calculated").asBoolean(false),
                json.path("externalId").asBoolean(false),
                json.path("unique").asBoolean(false),
                isWritable);
    }

    /** The field called so, whatever the case of its letters. */
    public ObjectField field(String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "%s has no field '%s' that the user may see%s"
                                                .formatted(
                                                        object, name, mean(name, names(fields)))));
    }

    /** Whether there is one of exactly this name. */
    public boolean has(String name) {
        return fields.stream().anyMatch(field -> field.name().equals(name));
    }

    /** Those that can be columns: the ones named, or all; the record's Id is always the first. */
    public List<ObjectField> columns(List<String> wanted) {
        Map<String, ObjectField> columns = new LinkedHashMap<>();
        columns.put("Id", field("Id"));
        if (wanted.isEmpty()) {
            for (ObjectField field : fields) {
                if (field.isReadable() && !field.name().equals("IsDeleted")) {
                    columns.put(field.name(), field);
                }
            }
            return List.copyOf(columns.values());
        }
        for (String name : wanted) {
            ObjectField field = field(name);
            ConfigException.check(
                    field.isReadable(),
                    "field %s of %s cannot be read exactly (%s): leave it out",
                    field.name(),
                    object,
                    field.whyNot());
            columns.put(field.name(), field);
        }
        return List.copyOf(columns.values());
    }

    /** Names of those that are left out where all are wanted, with the reason; empty if none. */
    public String leftOut() {
        return fields.stream()
                .filter(field -> !field.isReadable())
                .map(field -> field.name() + " (" + field.whyNot() + ")")
                .collect(Collectors.joining(", "));
    }

    /** Their names in their order. */
    public static List<String> names(List<ObjectField> fields) {
        return fields.stream().map(ObjectField::name).toList();
    }
}
