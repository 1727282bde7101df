/** Made by `npm run client` from docs/openapi.json. */
import type { List } from '../list.ts';
import type { CallOptions } from '../request.ts';
import type {
  AccountErasure,
  AccountEvent,
  AddSubscriberInput,
  AdjustInput,
  Adjusted,
  AuditEntry,
  AuthResult,
  Business,
  BusinessChange,
  BusinessInput,
  CategoryCount,
  CheckoutInput,
  CheckoutResult,
  Collection,
  CollectionChanges,
  CollectionInput,
  ConfirmEmailInput,
  ConfirmInput,
  Consent,
  CreateImportQuery,
  Customer,
  CustomerInput,
  DeleteAccountInput,
  DeleteCollectionQuery,
  DeleteMediaQuery,
  DeleteUploadedMediaQuery,
  DeletedAccount,
  Delivery,
  Entry,
  EntryChanges,
  EntryInput,
  Erasure,
  Event,
  ExportRecordsQuery,
  ForgotInput,
  GenerateInput,
  GeneratedBlocks,
  GetEntryVersionQuery,
  GetHealthResult,
  GetJwksResult,
  GetLoginUrlQuery,
  GetProductVersionQuery,
  GetReadinessResult,
  GetStatsQuery,
  GetUnsubscribeQuery,
  Import,
  ImportError,
  Invitation,
  InvitationAnswer,
  InvitationInput,
  LargeUpload,
  LargeUploadInput,
  ListAccountEventsQuery,
  ListAuditEntriesQuery,
  ListBusinessesQuery,
  ListCategoriesQuery,
  ListCollectionsQuery,
  ListCustomersQuery,
  ListDeliveriesQuery,
  ListEntriesQuery,
  ListEntryVersionsQuery,
  ListErasuresQuery,
  ListEventsQuery,
  ListImportErrorsQuery,
  ListImportsQuery,
  ListInvitationsQuery,
  ListMarketsQuery,
  ListMediaQuery,
  ListOrdersQuery,
  ListProductVersionsQuery,
  ListProductsQuery,
  ListPromoCodesQuery,
  ListReleasesQuery,
  ListRolesQuery,
  ListSendsQuery,
  ListSessionsQuery,
  ListStockChangesQuery,
  ListSubscribersQuery,
  ListWebhookDeliveriesQuery,
  ListWebhooksQuery,
  ListedBusiness,
  ListedCollection,
  ListedCustomer,
  ListedEntry,
  ListedImport,
  ListedProduct,
  ListedRelease,
  ListedRole,
  ListedSubscription,
  LoginInput,
  LoginUrl,
  LogoutInput,
  Market,
  MediaChange,
  MediaItem,
  MediaUses,
  Misfit,
  NewWebhook,
  Order,
  OrderInput,
  OrderUpdate,
  PaymentStatusChange,
  PhoneConfirmInput,
  PhoneInput,
  PortalLink,
  Preview,
  PreviewInput,
  PreviewLink,
  Product,
  ProductChanges,
  ProductInput,
  PromoCode,
  PromoInput,
  PromoUpdate,
  PublishInput,
  Quote,
  QuoteInput,
  RefreshInput,
  RefundInput,
  RegisterInput,
  Release,
  ReleaseChanges,
  ReleaseInput,
  ReplayInput,
  ResendInput,
  Resent,
  ResetForgottenInput,
  ResetInput,
  Role,
  RoleChange,
  RoleInput,
  Rotated,
  SearchUsersQuery,
  SeenUser,
  Send,
  SendInput,
  SendStarted,
  SendTestMailInput,
  Session,
  SetRoleInput,
  Stats,
  StatusChange,
  StockChange,
  StreamEventsQuery,
  SubscribeInput,
  Subscriber,
  SubscriberChanges,
  SubscriberDetail,
  Subscription,
  Success,
  TestInput,
  TestResult,
  UnsubscribeInput,
  UpdateEntryQuery,
  UpdateProductQuery,
  UploadByUrl,
  Uploaded,
  User,
  UserChange,
  ValidateCollectionQuery,
  Variables,
  Version,
  VersionDetail,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookInput,
} from './types.ts';

/** The record's version, for `ifMatch`. */
export type Versioned = { etag: string };

/** A method for each operation of the service. */
export type Api = {
  system: {
    /** Is the process up?. */
    getHealth(options?: CallOptions): Promise<GetHealthResult>;
    /** Can it take requests?. The database answers and its migrations are done; else 503. */
    getReadiness(options?: CallOptions): Promise<GetReadinessResult>;
    /** Figures for Prometheus. */
    getMetrics(options?: CallOptions): Promise<string>;
    /** This document. */
    getDocument(options?: CallOptions): Promise<Record<string, unknown>>;
  };
  businesses: {
    /** Create a business. By any confirmed user, who becomes its ADMIN. It has the roles ADMIN, EDITOR and SUPPORT. */
    create(body: BusinessInput, options?: CallOptions): Promise<Business>;
    /** List my businesses. */
    list(query?: ListBusinessesQuery, options?: CallOptions): List<ListedBusiness>;
    /** Read a business. Any token. The payment provider's secrets show to members only, masked. */
    get(businessId: string, options?: CallOptions): Promise<Business & Versioned>;
    /** Change a business. Sections of `configs` that are sent replace the stored ones; masked secrets are kept. */
    update(businessId: string, body?: BusinessChange, options?: CallOptions): Promise<Business & Versioned>;
    /** Delete a business. */
    delete(businessId: string, options?: CallOptions): Promise<Success>;
    /** List the markets of a business. In the order that the business has them in. */
    listMarkets(query?: ListMarketsQuery, options?: CallOptions): List<Market>;
    /** Read a market. */
    getMarket(marketId: string, options?: CallOptions): Promise<Market>;
  };
  roles: {
    /** Create a role. By an ADMIN of the business. Whoever is ADMIN of one only may leave `businessId` out. */
    create(body: RoleInput, options?: CallOptions): Promise<Role>;
    /** List roles. Of one business, or of all that the caller is ADMIN of. */
    list(query?: ListRolesQuery, options?: CallOptions): List<ListedRole>;
    /** Read a role. */
    get(id: string, options?: CallOptions): Promise<Role & Versioned>;
    /** Change a role. Its members have the new permissions within a second. The last ADMIN cannot be lost (409). */
    update(id: string, body?: RoleChange, options?: CallOptions): Promise<Role & Versioned>;
    /** Delete a role. */
    delete(id: string, options?: CallOptions): Promise<Success>;
  };
  customers: {
    /** Create a customer. A record of the business: it makes no account, and becomes that of an account when one with this confirmed e-mail orders or subscribes here. An e-mail is unique in the business. */
    create(body?: CustomerInput, options?: CallOptions): Promise<Customer>;
    /** List and search customers. Newest first. Where a record has no name or e-mail of its own, those of its account are shown. */
    list(query?: ListCustomersQuery, options?: CallOptions): List<ListedCustomer>;
    /** Read a customer. */
    get(id: string, options?: CallOptions): Promise<Customer & Versioned>;
    /** Change a customer. Fields that are not sent stay; a list that is sent replaces the list. */
    update(id: string, body?: CustomerInput, options?: CallOptions): Promise<Customer & Versioned>;
    /** Delete a customer. Their orders stay. */
    delete(id: string, options?: CallOptions): Promise<Success>;
  };
  invitations: {
    /** Invite somebody. Mails a link that is good for 7 days, once. Another invitation of the same address makes the former void. It ends when whoever invited is no longer ADMIN. */
    create(body: InvitationInput, options?: CallOptions): Promise<Invitation>;
    /** List open invitations. */
    list(query?: ListInvitationsQuery, options?: CallOptions): List<Invitation>;
    /** Accept or decline an invitation. By the account with the e-mail that was invited, with the token from the mail. */
    answer(body: InvitationAnswer, options?: CallOptions): Promise<Success>;
    /** Take an invitation back. */
    delete(id: string, options?: CallOptions): Promise<Success>;
  };
  users: {
    /** Register with e-mail and password. Mails a link that confirms the address; it is valid for an hour. A registered e-mail is 400 EMAIL_EXISTS. */
    register(body: RegisterInput, options?: CallOptions): Promise<Success>;
    /** Confirm the e-mail. */
    confirmEmail(body: ConfirmEmailInput, options?: CallOptions): Promise<Success>;
    /** Ask for a mail to reset the password. The answer is the same whether the e-mail is known or not. */
    forgotPassword(body: ForgotInput, options?: CallOptions): Promise<Success>;
    /** Set a new password with the mailed token. The token is good once, for an hour. Every session ends. */
    resetForgotPassword(body: ResetForgottenInput, options?: CallOptions): Promise<Success>;
    /** Change my password. Every other session ends. */
    resetPassword(body: ResetInput, options?: CallOptions): Promise<Success>;
    /** Log in. EMAIL: email, password. OAUTH_IDP: code and originUrl, and the state of the redirect. GUEST: phoneNumber, if any. A malformed body is 400; a wrong e-mail or password is 422. */
    login(body: LoginInput, options?: CallOptions): Promise<AuthResult>;
    /** Get a new access token. The refresh token stays the same. */
    refresh(body: RefreshInput, options?: CallOptions): Promise<AuthResult>;
    /** Get a new access token. The refresh token stays the same. */
    refreshAccessToken(body: RefreshInput, options?: CallOptions): Promise<AuthResult>;
    /** End a session. Of the token in the body, or else of the one in the header. All its tokens stop working everywhere. */
    logout(body?: LogoutInput, options?: CallOptions): Promise<Success>;
    /** List my sessions. */
    listSessions(query?: ListSessionsQuery, options?: CallOptions): List<Session>;
    /** End one of my sessions. */
    deleteSession(id: string, options?: CallOptions): Promise<Success>;
    /** The public keys of access tokens. */
    getJwks(options?: CallOptions): Promise<GetJwksResult>;
    /** Begin a login at the identity provider. Send the person to `url`. The provider sends them back to `redirectUrl` with `code` and `state`. */
    loginUrl(query: GetLoginUrlQuery, options?: CallOptions): Promise<LoginUrl>;
    /** Read my profile. */
    me(options?: CallOptions): Promise<User>;
    /** Change my profile. A list that is sent replaces the list. An API key that is left out of `apiTokens` is revoked at once. */
    update(body?: UserChange, options?: CallOptions): Promise<User & Versioned>;
    /** Change my profile. A list that is sent replaces the list. An API key that is left out of `apiTokens` is revoked at once. */
    change(body?: UserChange, options?: CallOptions): Promise<User & Versioned>;
    /** Search the people of my businesses. ADMIN only: members, customers and subscribers, without phone numbers, addresses, keys and roles elsewhere. Who has not acted there yet is shown with `id` and roles alone. */
    search(query?: SearchUsersQuery, options?: CallOptions): List<SeenUser>;
    /** Give a user a role. ADMIN of the business only. `roleId` adds a role, `roleId: null` takes all of the user’s roles in the business away, and `roleIds` instead of it sets exactly these. `businessId` may be left out where a role is named, because the role has one. */
    setRole(body: SetRoleInput, options?: CallOptions): Promise<SeenUser>;
    /** Send a code to a phone number. Six digits, valid for 10 minutes and 5 tries; once a minute. */
    sendPhoneCode(body: PhoneInput, options?: CallOptions): Promise<Success>;
    /** Confirm a phone number. */
    confirmPhoneNumber(body: PhoneConfirmInput, options?: CallOptions): Promise<Success>;
    /** Read what happened to my account. */
    listAccountEvents(query?: ListAccountEventsQuery, options?: CallOptions): List<AccountEvent>;
  };
  privacy: {
    /** Delete my account and my personal data. With the password, or within ten minutes of a log-in. The account is gone at once; a job erases what businesses hold. 409 for the only ADMIN of a business. */
    deleteOwnAccount(body?: DeleteAccountInput, options?: CallOptions): Promise<DeletedAccount>;
    /** Export what the business holds of a person. The id of a customer, a user or a subscription. One JSON document, streamed. */
    exportCustomerData(id: string, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Erase what the business holds of a person. The id of a customer, a user or a subscription. A job does it; the answer names the erasure, whose report says what was erased, what was kept and why. Orders keep their figures. It cannot be undone. */
    eraseCustomerData(id: string, options?: CallOptions): Promise<Erasure>;
    /** List erasures, newest first. */
    listErasures(query?: ListErasuresQuery, options?: CallOptions): List<Erasure>;
    /** Read an erasure. */
    getErasure(id: string, options?: CallOptions): Promise<Erasure>;
    /** Export everything that is held of me. The account and what each business holds. One JSON document, streamed. */
    exportOwnData(options?: CallOptions): Promise<Record<string, unknown>>;
    /** Read how far the erasure of a deleted account has come. */
    getAccountErasure(id: string, options?: CallOptions): Promise<AccountErasure>;
  };
  events: {
    /** Read what happened. With `after` oldest first: go on from the last id you saw, and you miss nothing, whoever writes meanwhile. Without it newest first. */
    list(query?: ListEventsQuery, options?: CallOptions): List<Event>;
    /** Read who changed what. */
    listAuditEntries(query?: ListAuditEntriesQuery, options?: CallOptions): List<AuditEntry>;
    /** Follow what happens. Server-sent events, to be read with fetch. Members get the events that their permissions let them read. Goes on after `Last-Event-ID` or `after`; without them with what happens from now on. Ends after 15 minutes, or when the rights of the caller change: connect again. */
    stream(query?: StreamEventsQuery, options?: CallOptions): Promise<Response>;
  };
  webhooks: {
    /** Create a webhook. The answer shows its `secret` this once. Calls are signed as Standard Webhooks say. */
    create(body: WebhookInput, options?: CallOptions): Promise<NewWebhook>;
    /** List webhooks. */
    list(query?: ListWebhooksQuery, options?: CallOptions): List<Webhook>;
    /** Try an address. Calls it with a test event, signed with a secret that nobody knows. */
    testAddress(body: TestInput, options?: CallOptions): Promise<TestResult>;
    /** Read a webhook. */
    get(id: string, options?: CallOptions): Promise<Webhook & Versioned>;
    /** Change a webhook. When it is enabled again, the deliveries that wait are sent. */
    update(id: string, body?: WebhookChange, options?: CallOptions): Promise<Webhook & Versioned>;
    /** Delete a webhook. */
    delete(id: string, options?: CallOptions): Promise<Success>;
    /** Replace the secret. For 24 hours calls are signed with both secrets. */
    rotate(id: string, options?: CallOptions): Promise<Rotated>;
    /** Send a test event. */
    test(id: string, options?: CallOptions): Promise<TestResult>;
    /** Send the events of a time again. */
    replay(id: string, body: ReplayInput, options?: CallOptions): Promise<Success>;
    /** List deliveries. */
    listDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): List<WebhookDelivery>;
    /** Send a delivery again. */
    retryDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>;
  };
  media: {
    /** Delete a file. */
    deleteUploaded(options?: CallOptions & { query?: DeleteUploadedMediaQuery }): Promise<Success>;
    /** Upload files. A multipart form with one or more fields `files` (or `urls`): files, or addresses that are fetched. As JSON: `{"files": [addresses]}`. All are taken or none. A file that is in the library already is answered as it is there. */
    upload(body: FormData | UploadByUrl, options?: CallOptions): Promise<Uploaded>;
    /** List files. Newest first. Needs MEDIA_WRITE, CATALOG_WRITE or CONTENT_WRITE. */
    list(query?: ListMediaQuery, options?: CallOptions): List<MediaItem>;
    /** Get a file. */
    get(id: string, options?: CallOptions): Promise<MediaItem & Versioned>;
    /** Change what is said of a file. Records that use the file follow a moment later. */
    update(id: string, body?: MediaChange, options?: CallOptions): Promise<MediaItem & Versioned>;
    /** Delete a file. One that is in use is 409, with where, unless `force=true`. */
    delete(id: string, options?: CallOptions & { query?: DeleteMediaQuery }): Promise<Success>;
    /** Where a file is used. */
    listUses(id: string, options?: CallOptions): Promise<MediaUses>;
    /** Begin to upload a large file. Up to 5 GiB. PUT each part to its address, in any order, then complete the upload. */
    createUpload(body: LargeUploadInput, options?: CallOptions): Promise<LargeUpload>;
    /** Get an upload. Which parts are there, with fresh addresses for all; once it is DONE, the file it has become. */
    getUpload(id: string, options?: CallOptions): Promise<LargeUpload>;
    /** Cancel an upload. */
    deleteUpload(id: string, options?: CallOptions): Promise<Success>;
    /** Complete an upload. Type, size and hash are checked by a job; then the upload is DONE or FAILED. */
    completeUpload(id: string, options?: CallOptions): Promise<LargeUpload>;
    /** Send a part of a large file. A part may be sent again. */
    updatePart(id: string, number: string, body: RequestInit['body'], options?: CallOptions): Promise<Success>;
  };
  releases: {
    /** Create a release. Publishes up to 1,000 entries, products and collections at one instant, those with a draft with their draft. All or nothing: if one cannot be published none is, and `failure` says why. Needs the permission to write each kind of item. */
    create(body: ReleaseInput, options?: CallOptions): Promise<Release>;
    /** List releases. Newest first. */
    list(query?: ListReleasesQuery, options?: CallOptions): List<ListedRelease>;
    /** Read a release. */
    get(id: string, options?: CallOptions): Promise<Release & Versioned>;
    /** Change a release. Until it is published or cancelled: 409 afterwards. One that failed is tried again, at its new time or at once. */
    update(id: string, body?: ReleaseChanges, options?: CallOptions): Promise<Release & Versioned>;
    /** Cancel a release. */
    cancel(id: string, options?: CallOptions): Promise<Release>;
  };
  previews: {
    /** Read a preview. The draft of an entry or a product, as its public document would be. The address comes from `preview-link`. */
    get(token: string, options?: CallOptions): Promise<unknown>;
  };
  products: {
    /** Create a product. The slug is made from the name when it is missing. A variant without inventory is not tracked: its stock is unlimited. */
    create(body: ProductInput, options?: CallOptions): Promise<Product>;
    /** List and search products. Without CATALOG_WRITE only ACTIVE products are seen. `query` searches name, description, category, SKU and attributes: words may be unfinished, accents are ignored, and one typo in a word of five letters or more is forgiven. */
    list(query?: ListProductsQuery, options?: CallOptions): List<ListedProduct>;
    /** List categories. By name, with the number of products in each; without CATALOG_WRITE only ACTIVE products count. */
    listCategories(query?: ListCategoriesQuery, options?: CallOptions): List<CategoryCount>;
    /** Get a product. What readers see. With `?draft=true` it is the same as `GET …/draft`. */
    get(id: string, options?: CallOptions): Promise<Product & Versioned>;
    /** Change a product. Fields that are not sent stay; a list that is sent replaces the list. A variant without `inventory` keeps its stock, one with `inventory.quantity` sets it. A status with a `timestamp` ahead waits in `scheduled`. With `draft=true` readers of an ACTIVE product see it as it was until the draft is published; quantities of variants that are there already are no part of a draft. */
    update(id: string, body?: ProductChanges, options?: CallOptions & { query?: UpdateProductQuery }): Promise<Product & Versioned>;
    /** Delete a product. Orders that hold it keep their lines. */
    delete(id: string, options?: CallOptions): Promise<Success>;
    /** Adjust the stock of a variant. Adds to or takes from the current quantity, which never falls below 0 (422). */
    adjustStock(id: string, variantId: string, body: AdjustInput, options?: CallOptions): Promise<Adjusted>;
    /** List a variant's stock changes. Newest first. The changes add up to the quantity. */
    listStockChanges(id: string, variantId: string, query?: ListStockChangesQuery, options?: CallOptions): List<StockChange>;
    /** List a product's versions. Newest first. How many are kept is a setting. */
    listVersions(id: string, query?: ListProductVersionsQuery, options?: CallOptions): List<Version>;
    /** Read a version of a product. With its document, and field by field what differs from the version before or from `against`. */
    getVersion(id: string, number: string, query?: GetProductVersionQuery, options?: CallOptions): Promise<VersionDetail>;
    /** Restore a version of a product. Makes a new version with the content of this one, public at once if the product is. Statuses and stock stay. */
    restoreVersion(id: string, number: string, options?: CallOptions): Promise<Product>;
    /** Publish a product. With its draft where there is one. With `at` ahead it is published then, and waits in `scheduled`. */
    publish(id: string, body?: PublishInput, options?: CallOptions): Promise<Product>;
    /** Read the draft of a product. The draft beside the public product, or the product itself where there is none. */
    getDraft(id: string, options?: CallOptions): Promise<Product & Versioned>;
    /** Discard the draft of a product. The product stays as it is. What was drafted stays among its versions. */
    discardDraft(id: string, options?: CallOptions): Promise<Product>;
    /** Make a preview link of a product. An address that shows the draft as JSON to whoever has it, for an hour. */
    linkPreview(id: string, options?: CallOptions): Promise<PreviewLink>;
  };
  collections: {
    /** Create a collection. The slug is made from the name when it is missing. Plans are for type NEWSLETTER only. */
    create(body: CollectionInput, options?: CallOptions): Promise<Collection>;
    /** List collections. Newest first. Without CONTENT_READ only PUBLISHED ones are seen. */
    list(query?: ListCollectionsQuery, options?: CallOptions): List<ListedCollection>;
    /** Read a collection. */
    get(id: string, options?: CallOptions): Promise<Collection & Versioned>;
    /** Change a collection. Fields that are not sent stay; a list that is sent replaces the list. Entries stay as they are and are checked against the new schema when they are written next. */
    update(id: string, body?: CollectionChanges, options?: CallOptions): Promise<Collection & Versioned>;
    /** Delete a collection. One that has entries is kept (409) unless `cascade=true`. */
    delete(id: string, options?: CallOptions & { query?: DeleteCollectionQuery }): Promise<Success>;
    /** List the entries that no longer fit. Oldest first, each with what is wrong with it. Changes nothing. A request looks at 1,000 entries at most: a page may be short or empty and still have a cursor. */
    validate(id: string, options?: CallOptions & { query?: ValidateCollectionQuery }): List<Misfit>;
    /** Generate values for blocks. Every value would pass as a write. Ids of records and media are never invented: those blocks come back empty. */
    generateBlocks(body: GenerateInput, options?: CallOptions): Promise<GeneratedBlocks>;
  };
  entries: {
    /** Create an entry. Its values are checked against the schema of its collection. Required ones may be missing only when `statuses` says DRAFT. */
    create(body?: EntryInput, options?: CallOptions): Promise<Entry>;
    /** List and search entries. Of one owner, or across all collections. Without CONTENT_READ only PUBLISHED ones are seen. Entries of an order are listed with `owner=order:…`, for its customer and ORDER_READ. */
    list(query?: ListEntriesQuery, options?: CallOptions): List<ListedEntry>;
    /** Read an entry. What readers see. With `?draft=true` it is the same as `GET …/draft`. */
    get(id: string, options?: CallOptions): Promise<Entry & Versioned>;
    /** Change an entry. Fields that are not sent stay; `blocks` replaces all blocks. `statuses` may only append; one with a `timestamp` ahead waits in `scheduled`. Becoming PUBLISHED takes every required value. With `draft=true` readers of a PUBLISHED entry see it as it was until the draft is published. */
    update(id: string, body?: EntryChanges, options?: CallOptions & { query?: UpdateEntryQuery }): Promise<Entry & Versioned>;
    /** Delete an entry. */
    delete(id: string, options?: CallOptions): Promise<Success>;
    /** List an entry's versions. Newest first, for those who see the entry before it is PUBLISHED. How many are kept is a setting. */
    listVersions(id: string, query?: ListEntryVersionsQuery, options?: CallOptions): List<Version>;
    /** Read a version of an entry. With its document, and field by field what differs from the version before or from `against`. */
    getVersion(id: string, number: string, query?: GetEntryVersionQuery, options?: CallOptions): Promise<VersionDetail>;
    /** Restore a version of an entry. Makes a new version with the content of this one, public at once if the entry is. Statuses stay. */
    restoreVersion(id: string, number: string, options?: CallOptions): Promise<Entry>;
    /** Publish an entry. With its draft where there is one. With `at` ahead it is published then, and waits in `scheduled`. */
    publish(id: string, body?: PublishInput, options?: CallOptions): Promise<Entry>;
    /** Read the draft of an entry. For those who see the entry before it is PUBLISHED: the draft beside the public entry, or the entry itself where there is none. */
    getDraft(id: string, options?: CallOptions): Promise<Entry & Versioned>;
    /** Discard the draft of an entry. The entry stays as it is. What was drafted stays among its versions. */
    discardDraft(id: string, options?: CallOptions): Promise<Entry>;
    /** Make a preview link of an entry. An address that shows the draft as JSON to whoever has it, for an hour. */
    linkPreview(id: string, options?: CallOptions): Promise<PreviewLink>;
  };
  promoCodes: {
    /** Create a promo code. */
    create(body: PromoInput, options?: CallOptions): Promise<PromoCode>;
    /** List promo codes, newest first. */
    list(query?: ListPromoCodesQuery, options?: CallOptions): List<PromoCode>;
    /** Read a promo code. */
    get(id: string, options?: CallOptions): Promise<PromoCode>;
    /** Change a promo code. */
    update(id: string, body?: PromoUpdate, options?: CallOptions): Promise<PromoCode>;
    /** Delete a promo code. */
    delete(id: string, options?: CallOptions): Promise<Success>;
  };
  payments: {
    /** Quote the price of a basket. A checkout that names the `quoteId` pays this price until `expiresAt`. */
    quote(body: QuoteInput, options?: CallOptions): Promise<Quote>;
    /** Events of Stripe. */
    receiveStripeEvent(businessId: string, options?: CallOptions): Promise<Success>;
  };
  orders: {
    /** Check out. Places an order. Send the customer to `checkoutUrl` when there is one. */
    checkout(body: CheckoutInput, options?: CallOptions): Promise<CheckoutResult>;
    /** Write an order by hand. No payment is begun. Takes stock like a checkout. Totals left out are computed. */
    create(body: OrderInput, options?: CallOptions): Promise<Order>;
    /** List orders, newest first. All of the business with ORDER_READ, else your own. */
    list(query?: ListOrdersQuery, options?: CallOptions): List<Order>;
    /** Read an order. */
    get(id: string, options?: CallOptions): Promise<Order>;
    /** Change an order. Other lines move the stock by the difference. A paid order keeps its lines (409). */
    update(body: OrderUpdate, options?: CallOptions): Promise<Order>;
    /** Set the order status. CANCELLED gives stock and promo use back. Out of CANCELLED they are taken again. */
    setStatus(id: string, body: StatusChange, options?: CallOptions): Promise<Order>;
    /** Set the payment status. */
    setPaymentStatus(id: string, body?: PaymentStatusChange, options?: CallOptions): Promise<Order>;
    /** Refund an order. Without `amount`: all that is left. Through the payment provider where the money came that way. */
    refund(id: string, body?: RefundInput, options?: CallOptions): Promise<Order>;
    /** Send a mail about an order again. To the address of the order, at most a few times an hour (429). Without one it is 409. */
    resendMail(id: string, body?: ResendInput, options?: CallOptions): Promise<Resent>;
  };
  newsletters: {
    /** Subscribe an address to a newsletter. One address has one subscription. A free plan makes it ACTIVE, or PENDING until its owner confirms by mail: always with `doubleOptIn`, else when the address had unsubscribed and is not the confirmed one of the caller. A paid plan returns where to pay. */
    subscribe(collectionId: string, body: SubscribeInput, options?: CallOptions): Promise<Subscription | { checkoutUrl: string; }>;
    /** List the subscribers of a newsletter, newest first. */
    listSubscribers(id: string, query?: ListSubscribersQuery, options?: CallOptions): List<ListedSubscription>;
    /** Add a subscriber who has agreed. ACTIVE at once, also with `doubleOptIn`: the member states the consent. An address that had unsubscribed is PENDING until its owner confirms by mail. */
    createSubscriber(id: string, body: AddSubscriberInput, options?: CallOptions): Promise<Subscriber>;
    /** Read a subscriber. */
    getSubscriber(id: string, subscriberId: string, options?: CallOptions): Promise<SubscriberDetail & Versioned>;
    /** Change name or plan of a subscriber, or end the subscription. Only its owner makes a subscription ACTIVE. */
    updateSubscriber(id: string, subscriberId: string, body?: SubscriberChanges, options?: CallOptions): Promise<SubscriberDetail & Versioned>;
    /** Delete a subscriber. One who has unsubscribed, or whose address bounced, is kept (409), so that nobody writes to them again. */
    deleteSubscriber(id: string, subscriberId: string, options?: CallOptions): Promise<Success>;
    /** What a subscriber has agreed to, when and how. 404 as long as they have not. */
    getSubscriberConsent(id: string, subscriberId: string, options?: CallOptions): Promise<Consent>;
    /** Get the page where a subscriber manages their paid plan. For the subscriber alone. 409 when nothing renews. */
    openSubscriberPortal(id: string, subscriberId: string, options?: CallOptions): Promise<PortalLink>;
    /** Confirm a subscription with the token of the mail that asked for it. Repeatable. */
    confirm(body: ConfirmInput, options?: CallOptions): Promise<Success>;
    /** Unsubscribe with the token of a newsletter mail. Repeatable. */
    unsubscribe(body: UnsubscribeInput, options?: CallOptions): Promise<Success>;
    /** Unsubscribe with the token of a newsletter mail. For clients that accept `application/json` and no page. Browsers get a page with a button. */
    getUnsubscribe(query: GetUnsubscribeQuery, options?: CallOptions): Promise<unknown>;
    /** Send an entry to all subscribers, at once or at a time. */
    sendEntry(entryId: string, body?: SendInput, options?: CallOptions): Promise<SendStarted>;
    /** List the sends of an entry, newest first. */
    listSends(entryId: string, query?: ListSendsQuery, options?: CallOptions): List<Send>;
    /** A send and how far it has come. */
    getSend(entryId: string, sendId: string, options?: CallOptions): Promise<Send>;
    /** Cancel a send. Messages that have left stay sent; those that have not are counted as skipped. */
    cancelSend(entryId: string, sendId: string, options?: CallOptions): Promise<Success>;
    /** List the recipients of a send. */
    listDeliveries(entryId: string, sendId: string, query?: ListDeliveriesQuery, options?: CallOptions): List<Delivery>;
    /** Send an entry to one address, to see how it looks. */
    sendTestMail(entryId: string, body: SendTestMailInput, options?: CallOptions): Promise<Success>;
    /** The entry as HTML mail. */
    getEntryPreview(entryId: string, options?: CallOptions): Promise<string>;
    /** The mail that an entry would be. With the blocks that are sent, which are checked as those of a draft. Nothing is stored. */
    previewEntry(entryId: string, body?: PreviewInput, options?: CallOptions): Promise<Preview>;
    /** The variables that a text may use. */
    variables(entryType: string, options?: CallOptions): Promise<Variables>;
  };
  stats: {
    /** Read what was sold. Sales by interval, market and product, exact and from the orders themselves; cancelled ones sold nothing. Without `from` and `to` the last 30 days. Intervals begin by the time zone of the business. */
    get(query?: GetStatsQuery, options?: CallOptions): Promise<Stats>;
  };
  imports: {
    /** List imports. Newest first, those that the caller could have begun. They are kept for 30 days. */
    list(query?: ListImportsQuery, options?: CallOptions): List<ListedImport>;
    /** Import a file. The body is the file: CSV, NDJSON or JSON, 1 GiB at most; or `mediaId` names one. It is recognised: our own exports, products of Shopify, WooCommerce and Medusa, customers of Shopify, members and posts of Ghost, entries of Strapi. A job works it off; nothing is deleted by it, and a second import of the same file changes nothing. Needs the write permission of what it carries. */
    create(body: RequestInit['body'], options?: CallOptions & { query?: CreateImportQuery }): Promise<Import>;
    /** Get an import. How far it is, and what became of its rows. */
    get(id: string, options?: CallOptions): Promise<Import>;
    /** List the errors of an import. All of them, by row and column. */
    listErrors(id: string, query?: ListImportErrorsQuery, options?: CallOptions): List<ImportError>;
    /** Cancel an import. What is written stays. */
    cancel(id: string, options?: CallOptions): Promise<ListedImport>;
    /** Export records. Everything of one type as it was at one moment, as CSV or NDJSON. An import of it changes nothing. Cells that a spreadsheet would run have an apostrophe in front. Needs the write permission of what it carries. */
    exportRecords(query: ExportRecordsQuery, options?: CallOptions): Promise<Response>;
    /** Export the whole business. One row for each record, as NDJSON, without secrets and without the bytes of files. An import of it (`type=business`) into an empty business makes it again. */
    exportBusiness(options?: CallOptions): Promise<Response>;
  };
};

export const OPERATIONS = {
  system: {
    getHealth: 'GET /healthz public',
    getReadiness: 'GET /readyz public',
    getMetrics: 'GET /metrics public text',
    getDocument: 'GET /openapi.json public',
  },
  businesses: {
    create: 'POST /v1/businesses body',
    list: 'GET /v1/businesses list query',
    get: 'GET /v1/businesses/{businessId}',
    update: 'PUT /v1/businesses/{businessId} body',
    delete: 'DELETE /v1/businesses/{businessId}',
    listMarkets: 'GET /v1/payments/businesses/{businessId}/markets list query',
    getMarket: 'GET /v1/payments/businesses/{businessId}/markets/{marketId}',
  },
  roles: {
    create: 'POST /v1/roles body business',
    list: 'GET /v1/roles list query business',
    get: 'GET /v1/roles/{id}',
    update: 'PUT /v1/roles/{id} body',
    delete: 'DELETE /v1/roles/{id}',
  },
  customers: {
    create: 'POST /v1/businesses/{businessId}/customers body',
    list: 'GET /v1/businesses/{businessId}/customers list query',
    get: 'GET /v1/businesses/{businessId}/customers/{id}',
    update: 'PUT /v1/businesses/{businessId}/customers/{id} body',
    delete: 'DELETE /v1/businesses/{businessId}/customers/{id}',
  },
  invitations: {
    create: 'POST /v1/businesses/{businessId}/invitation body',
    list: 'GET /v1/businesses/{businessId}/invitation list query',
    answer: 'PUT /v1/businesses/{businessId}/invitation body',
    delete: 'DELETE /v1/businesses/{businessId}/invitation/{id}',
  },
  users: {
    register: 'POST /v1/users/register body public',
    confirmEmail: 'PUT /v1/users/confirm body public',
    forgotPassword: 'POST /v1/users/forgot-password body public',
    resetForgotPassword: 'POST /v1/users/reset-forgot-password body public',
    resetPassword: 'POST /v1/users/reset-password body',
    login: 'POST /v1/users/login body public',
    refresh: 'POST /v1/users/refresh body public',
    refreshAccessToken: 'POST /v1/users/refresh-access-token body public',
    logout: 'POST /v1/users/logout body public',
    listSessions: 'GET /v1/users/sessions list query',
    deleteSession: 'DELETE /v1/users/sessions/{id}',
    getJwks: 'GET /.well-known/jwks.json public',
    loginUrl: 'GET /v1/users/login/url query public',
    me: 'GET /v1/users/me',
    update: 'PUT /v1/users/update body',
    change: 'PUT /v1/users body',
    search: 'GET /v1/users/search list query business',
    setRole: 'PUT /v1/users/set-role body business',
    sendPhoneCode: 'POST /v1/users/phone-number body',
    confirmPhoneNumber: 'POST /v1/users/phone-number/confirm body',
    listAccountEvents: 'GET /v1/users/me/audit list query',
  },
  privacy: {
    deleteOwnAccount: 'DELETE /v1/users/me body',
    exportCustomerData: 'GET /v1/businesses/{businessId}/customers/{id}/personal-data',
    eraseCustomerData: 'DELETE /v1/businesses/{businessId}/customers/{id}/personal-data',
    listErasures: 'GET /v1/businesses/{businessId}/erasures list query',
    getErasure: 'GET /v1/businesses/{businessId}/erasures/{id}',
    exportOwnData: 'GET /v1/users/me/export',
    getAccountErasure: 'GET /v1/users/erasures/{id} public',
  },
  events: {
    list: 'GET /v1/businesses/{businessId}/events list query',
    listAuditEntries: 'GET /v1/businesses/{businessId}/audit list query',
    stream: 'GET /v1/businesses/{businessId}/events/stream query response',
  },
  webhooks: {
    create: 'POST /v1/businesses/{businessId}/webhooks body',
    list: 'GET /v1/businesses/{businessId}/webhooks list query',
    testAddress: 'POST /v1/businesses/{businessId}/webhooks/test body',
    get: 'GET /v1/businesses/{businessId}/webhooks/{id}',
    update: 'PUT /v1/businesses/{businessId}/webhooks/{id} body',
    delete: 'DELETE /v1/businesses/{businessId}/webhooks/{id}',
    rotate: 'POST /v1/businesses/{businessId}/webhooks/{id}/rotate',
    test: 'POST /v1/businesses/{businessId}/webhooks/{id}/test',
    replay: 'POST /v1/businesses/{businessId}/webhooks/{id}/replay body',
    listDeliveries: 'GET /v1/businesses/{businessId}/webhooks/{id}/deliveries list query',
    retryDelivery: 'POST /v1/businesses/{businessId}/webhooks/{id}/deliveries/{deliveryId}/retry',
  },
  media: {
    deleteUploaded: 'DELETE /v1/businesses/{businessId}/upload query',
    upload: 'POST /v1/businesses/{businessId}/upload body',
    list: 'GET /v1/businesses/{businessId}/media list query',
    get: 'GET /v1/businesses/{businessId}/media/{id}',
    update: 'PUT /v1/businesses/{businessId}/media/{id} body',
    delete: 'DELETE /v1/businesses/{businessId}/media/{id} query',
    listUses: 'GET /v1/businesses/{businessId}/media/{id}/uses',
    createUpload: 'POST /v1/businesses/{businessId}/media/uploads body',
    getUpload: 'GET /v1/businesses/{businessId}/media/uploads/{id}',
    deleteUpload: 'DELETE /v1/businesses/{businessId}/media/uploads/{id}',
    completeUpload: 'POST /v1/businesses/{businessId}/media/uploads/{id}/complete',
    updatePart: 'PUT /v1/businesses/{businessId}/media/uploads/{id}/parts/{number} body',
  },
  releases: {
    create: 'POST /v1/businesses/{businessId}/releases body',
    list: 'GET /v1/businesses/{businessId}/releases list query',
    get: 'GET /v1/businesses/{businessId}/releases/{id}',
    update: 'PUT /v1/businesses/{businessId}/releases/{id} body',
    cancel: 'POST /v1/businesses/{businessId}/releases/{id}/cancel',
  },
  previews: {
    get: 'GET /v1/previews/{token} public',
  },
  products: {
    create: 'POST /v1/businesses/{businessId}/products body',
    list: 'GET /v1/businesses/{businessId}/products list query',
    listCategories: 'GET /v1/businesses/{businessId}/products/categories list query',
    get: 'GET /v1/businesses/{businessId}/products/{id}',
    update: 'PUT /v1/businesses/{businessId}/products/{id} body query',
    delete: 'DELETE /v1/businesses/{businessId}/products/{id}',
    adjustStock: 'POST /v1/businesses/{businessId}/products/{id}/variants/{variantId}/inventory body',
    listStockChanges: 'GET /v1/businesses/{businessId}/products/{id}/variants/{variantId}/inventory/history list query',
    listVersions: 'GET /v1/businesses/{businessId}/products/{id}/versions list query',
    getVersion: 'GET /v1/businesses/{businessId}/products/{id}/versions/{number} query',
    restoreVersion: 'POST /v1/businesses/{businessId}/products/{id}/versions/{number}/restore',
    publish: 'POST /v1/businesses/{businessId}/products/{id}/publish body',
    getDraft: 'GET /v1/businesses/{businessId}/products/{id}/draft',
    discardDraft: 'DELETE /v1/businesses/{businessId}/products/{id}/draft',
    linkPreview: 'POST /v1/businesses/{businessId}/products/{id}/preview-link',
  },
  collections: {
    create: 'POST /v1/businesses/{businessId}/collections body',
    list: 'GET /v1/businesses/{businessId}/collections list query',
    get: 'GET /v1/businesses/{businessId}/collections/{id}',
    update: 'PUT /v1/businesses/{businessId}/collections/{id} body',
    delete: 'DELETE /v1/businesses/{businessId}/collections/{id} query',
    validate: 'POST /v1/businesses/{businessId}/collections/{id}/validate list query',
    generateBlocks: 'POST /v1/businesses/{businessId}/collections/blocks/generate body',
  },
  entries: {
    create: 'POST /v1/businesses/{businessId}/entries body',
    list: 'GET /v1/businesses/{businessId}/entries list query',
    get: 'GET /v1/businesses/{businessId}/entries/{id}',
    update: 'PUT /v1/businesses/{businessId}/entries/{id} body query',
    delete: 'DELETE /v1/businesses/{businessId}/entries/{id}',
    listVersions: 'GET /v1/businesses/{businessId}/entries/{id}/versions list query',
    getVersion: 'GET /v1/businesses/{businessId}/entries/{id}/versions/{number} query',
    restoreVersion: 'POST /v1/businesses/{businessId}/entries/{id}/versions/{number}/restore',
    publish: 'POST /v1/businesses/{businessId}/entries/{id}/publish body',
    getDraft: 'GET /v1/businesses/{businessId}/entries/{id}/draft',
    discardDraft: 'DELETE /v1/businesses/{businessId}/entries/{id}/draft',
    linkPreview: 'POST /v1/businesses/{businessId}/entries/{id}/preview-link',
  },
  promoCodes: {
    create: 'POST /v1/businesses/{businessId}/promo-codes body',
    list: 'GET /v1/businesses/{businessId}/promo-codes list query',
    get: 'GET /v1/businesses/{businessId}/promo-codes/{id}',
    update: 'PUT /v1/businesses/{businessId}/promo-codes/{id} body',
    delete: 'DELETE /v1/businesses/{businessId}/promo-codes/{id}',
  },
  payments: {
    quote: 'POST /v1/payments/quote body business',
    receiveStripeEvent: 'POST /v1/payments/webhooks/stripe/{businessId} public',
  },
  orders: {
    checkout: 'POST /v1/businesses/{businessId}/orders/checkout body business',
    create: 'POST /v1/businesses/{businessId}/orders body',
    list: 'GET /v1/businesses/{businessId}/orders list query',
    get: 'GET /v1/businesses/{businessId}/orders/{id}',
    update: 'PUT /v1/businesses/{businessId}/orders/update body',
    setStatus: 'PUT /v1/businesses/{businessId}/orders/{id}/status body',
    setPaymentStatus: 'PUT /v1/businesses/{businessId}/orders/{id}/payment-status body',
    refund: 'POST /v1/businesses/{businessId}/orders/{id}/refund body',
    resendMail: 'POST /v1/businesses/{businessId}/orders/{id}/resend body',
  },
  newsletters: {
    subscribe: 'POST /v1/businesses/{businessId}/collections/{collectionId}/subscribe body',
    listSubscribers: 'GET /v1/businesses/{businessId}/collections/{id}/subscribers list query',
    createSubscriber: 'POST /v1/businesses/{businessId}/collections/{id}/subscribers body',
    getSubscriber: 'GET /v1/businesses/{businessId}/collections/{id}/subscribers/{subscriberId}',
    updateSubscriber: 'PUT /v1/businesses/{businessId}/collections/{id}/subscribers/{subscriberId} body',
    deleteSubscriber: 'DELETE /v1/businesses/{businessId}/collections/{id}/subscribers/{subscriberId}',
    getSubscriberConsent: 'GET /v1/businesses/{businessId}/collections/{id}/subscribers/{subscriberId}/consent',
    openSubscriberPortal: 'POST /v1/businesses/{businessId}/collections/{id}/subscribers/{subscriberId}/portal',
    confirm: 'POST /v1/businesses/{businessId}/collections/confirm body public',
    unsubscribe: 'POST /v1/businesses/{businessId}/collections/unsubscribe body public',
    getUnsubscribe: 'GET /v1/businesses/{businessId}/collections/unsubscribe query public',
    sendEntry: 'POST /v1/businesses/{businessId}/entries/{entryId}/send body',
    listSends: 'GET /v1/businesses/{businessId}/entries/{entryId}/sends list query',
    getSend: 'GET /v1/businesses/{businessId}/entries/{entryId}/sends/{sendId}',
    cancelSend: 'POST /v1/businesses/{businessId}/entries/{entryId}/sends/{sendId}/cancel',
    listDeliveries: 'GET /v1/businesses/{businessId}/entries/{entryId}/sends/{sendId}/deliveries list query',
    sendTestMail: 'POST /v1/businesses/{businessId}/entries/{entryId}/test body',
    getEntryPreview: 'GET /v1/businesses/{businessId}/entries/{entryId}/preview text',
    previewEntry: 'POST /v1/businesses/{businessId}/entries/{entryId}/preview body',
    variables: 'GET /v1/collections/entry-types/{entryType}/variables',
  },
  stats: {
    get: 'GET /v1/businesses/{businessId}/stats query',
  },
  imports: {
    list: 'GET /v1/businesses/{businessId}/imports list query',
    create: 'POST /v1/businesses/{businessId}/imports body query',
    get: 'GET /v1/businesses/{businessId}/imports/{id}',
    listErrors: 'GET /v1/businesses/{businessId}/imports/{id}/errors list query',
    cancel: 'POST /v1/businesses/{businessId}/imports/{id}/cancel',
    exportRecords: 'GET /v1/businesses/{businessId}/exports query response',
    exportBusiness: 'GET /v1/businesses/{businessId}/export response',
  },
} satisfies { [Group in keyof Api]: { [Method in keyof Api[Group]]: string } };
