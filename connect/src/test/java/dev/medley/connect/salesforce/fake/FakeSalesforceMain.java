package dev.medley.connect.salesforce.fake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Starts the fake on a port for clients of any language, with an object Account and one Score__c.
 *
 * <p>It writes its key to the file named second, says its address, and ends with its standard
 * input.
 */
public final class FakeSalesforceMain {
    private FakeSalesforceMain() {}

    public static void main(String[] args) throws IOException {
        try (FakeSalesforce fake = FakeSalesforce.start(Integer.parseInt(args[0]))) {
            withTables(fake);
            Files.writeString(Path.of(args[1]), fake.keyPem());
            System.out.println(fake.url());
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    /** The objects that tests of clients use. */
    public static void withTables(FakeSalesforce fake) {
        fake.org.define(
                "Account",
                "001",
                FakeField.of("Name", "string"),
                FakeField.externalId("Ext__c"),
                FakeField.of("AnnualRevenue", "currency"),
                FakeField.of("NumberOfEmployees", "int"),
                FakeField.of("ParentId", "reference"),
                FakeField.of("BillingAddress", "address"),
                FakeField.of("Notes__c", "textarea"),
                FakeField.of("Active__c", "boolean"),
                FakeField.of("Since__c", "date"),
                FakeField.of("Rating__c", "double"),
                FakeField.formula("Size__c", "string"));
        fake.org.define(
                "Score__c",
                "a00",
                FakeField.externalId("Key__c"),
                FakeField.of("Account__c", "reference"),
                FakeField.looseExternalId("Loose__c"),
                FakeField.of("Score__c", "double"),
                FakeField.of("Day__c", "date"),
                FakeField.of("Moment__c", "datetime"),
                FakeField.of("Segment__c", "picklist"));
    }
}
