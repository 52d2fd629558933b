import dev.medley.base.Seeds;
import dev.medley.connect.salesforce.fake.FakeField;
import dev.medley.connect.salesforce.fake.FakeSalesforce;
import dev.medley.connect.salesforce.fake.FakeTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Plays a sales team and its Salesforce. In each week 400 leads come, and those of the week before
 * turn out. From the third week on a fair brings other leads: small firms that look around much and
 * buy little.
 *
 * <p>It is no part of Medley: the org is the fake of Medley's tests, which foreign clients take for
 * one.
 */
public final class LeadsOrg implements UnaryOperator<String>, AutoCloseable {
    private static final int A_WEEK = 400;
    private static final int FIRST_WITH_A_FAIR = 3;
    private static final Instant BEGIN = Instant.parse("2026-06-01T08:00:00Z");
    private static final List<String> SOURCES = List.of("Web", "Phone", "Partner");

    private final FakeSalesforce org;
    private final FakeTable leads;
    private final RandomGenerator random = Seeds.generator(7);
    private final Map<String, Boolean> willBuy = new HashMap<>();
    private int week;
    private int made;

    /** On a port of this machine; the connected app's key is written to a file. */
    public LeadsOrg(int port, Path key) throws IOException {
        org = FakeSalesforce.start(port);
        org.org.define(
                "Lead",
                "00Q",
                FakeField.externalId("Number__c"),
                FakeField.of("LeadSource", "picklist"),
                FakeField.of("NumberOfEmployees", "int"),
                FakeField.of("Visits__c", "double"),
                FakeField.of("Asked__c", "datetime"),
                FakeField.of("Bought__c", "string"),
                FakeField.of("Score__c", "double"));
        leads = org.org.table("Lead");
        Files.writeString(key, org.keyPem());
    }

    /** Does what a word says, and tells of it: {@code week}, {@code best} or {@code url}. */
    @Override
    public String apply(String word) {
        return switch (word) {
            case "week" -> week();
            case "best" -> best();
            case "url" -> org.url();
            default -> "say week, best or url";
        };
    }

    private String week() {
        week++;
        org.org.advance(7 * 24 * 3600);
        for (Map<String, String> lead : leads.live()) {
            String id = lead.get("Id");
            if (lead.get("Bought__c") == null) {
                leads.update(id, Map.of("Bought__c", willBuy.get(id) ? "yes" : "no"));
            }
        }
        if (week == 1) { // What is known already when the loop begins.
            come(2 * A_WEEK, -14);
            for (Map<String, String> lead : leads.live()) {
                String id = lead.get("Id");
                leads.update(id, Map.of("Bought__c", willBuy.get(id) ? "yes" : "no"));
            }
        }
        come(A_WEEK, 7 * (week - 1));
        return "week %d: %d leads came%s"
                .formatted(week, A_WEEK, week < FIRST_WITH_A_FAIR ? "" : ", many from a fair");
    }

    private void come(int count, int day) {
        for (int i = 0; i < count; i++) {
            boolean isOfFair = week >= FIRST_WITH_A_FAIR && random.nextInt(4) > 0;
            int employees = 1 + (int) Math.exp((isOfFair ? 1.5 : 4) + random.nextGaussian());
            double much = (isOfFair ? 2.5 : 1) + 0.5 * random.nextGaussian();
            double visits = Math.round(10 * Math.exp(much)) / 10.0;
            double merit =
                    isOfFair
                            ? -1.5 - 0.15 * (visits - 12)
                            : 0.8 * Math.log(employees) + 0.5 * visits - 5;
            boolean buys = random.nextDouble() < 1 / (1 + Math.exp(-1.5 * merit));
            Map<String, String> lead = new HashMap<>();
            lead.put("Number__c", "L%05d".formatted(++made));
            lead.put("LeadSource", isOfFair ? "Fair" : SOURCES.get(random.nextInt(3)));
            lead.put("NumberOfEmployees", "" + employees);
            lead.put("Visits__c", "" + visits);
            lead.put(
                    "Asked__c",
                    BEGIN.plus(day, ChronoUnit.DAYS).plus(10L * i, ChronoUnit.MINUTES).toString());
            willBuy.put(leads.insert(lead), buys);
        }
    }

    /** The open leads that the team calls first, and how they turn out. */
    private String best() {
        List<Map<String, String>> open = new ArrayList<>(leads.live());
        open.removeIf(lead -> lead.get("Bought__c") != null || lead.get("Score__c") == null);
        open.sort(
                Comparator.comparingDouble(
                        (Map<String, String> lead) -> -Double.parseDouble(lead.get("Score__c"))));
        List<Map<String, String>> first = open.subList(0, Math.min(50, open.size()));
        long bought = first.stream().filter(lead -> willBuy.get(lead.get("Id"))).count();
        long all = open.stream().filter(lead -> willBuy.get(lead.get("Id"))).count();
        return "of the %d open leads with the highest score %d will buy, of all %d open ones %d; %d calls"
                .formatted(first.size(), bought, open.size(), all, org.callCount());
    }

    @Override
    public void close() {
        org.close();
    }

    /** Plays on the port that the first word is; the key goes into the file that the second one is. */
    /** Plays the org on a port until its words end: {@code PORT FOLDER}. */
    public static void main(String[] args) throws IOException {
        try (LeadsOrg org = new LeadsOrg(Integer.parseInt(args[0]), Path.of(args[1]));
                BufferedReader words =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String word = words.readLine(); word != null; word = words.readLine()) {
                System.out.println(org.apply(word));
            }
        }
    }
}
