/** Real exports from other systems, imported unchanged. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { countsOf, fixture, openShop } from './shop.ts';

const h = await shareHarness();

test('Shopify products with the current header are imported, and a second import changes nothing', async () => {
  const shop = await openShop(h);
  const file = fixture('shopify-products-new.csv');
  const dry = await shop.run('type=products&market=us&dryRun=true', file);
  assert.equal(countsOf(dry), 'DONE +2 ~0 =0 -0 !0');
  assert.equal((await shop.get('/products')).items.length, 0, 'a dry run writes nothing');
  const done = await shop.run('type=products&market=us', file);
  assert.equal(countsOf(done), 'DONE +2 ~0 =0 -0 !0');
  assert.equal(done.format, 'shopify-products');
  assert.equal(done.rows, 4);
  assert.equal(done.progress, 1);
  assert.match(done.notes.join(), /Ignored columns: Charge tax, Google Shopping \/ MPN/);
  const shirt = await shop.get('/products/linen-shirt');
  assert.equal(shirt.name, 'Linen shirt');
  assert.equal(shirt.description, 'Soft linen & cool.\n\n• Washable');
  assert.equal(shirt.category, 'Shirts');
  const [small, medium, large] = shirt.variants;
  assert.deepEqual(small.attributes, [
    { name: 'Size', value: 'S' },
    { name: 'Color', value: 'White' },
  ]);
  assert.deepEqual(small.pricing.markets, [
    { marketId: 'us', currency: 'usd', price: 4900, compareAtPrice: 5900, lowestPrice30: 4900 },
    { marketId: 'eu', currency: 'eur', price: 4500 },
  ]);
  assert.deepEqual(small.inventory, { tracked: true, quantity: 10 });
  assert.equal(medium.pricing.markets[0].price, 104_900);
  assert.equal(large.inventory.tracked, false, 'products that keep selling when out of stock are not tracked');
  const card = await shop.get('/products/gift-card');
  assert.equal(card.statuses.at(-1).status, 'DRAFT');
  assert.deepEqual(card.variants[0].attributes, []);
  const again = await shop.run('type=products&market=us', file);
  assert.equal(countsOf(again), 'DONE +0 ~0 =2 -0 !0');
  assert.deepEqual(await shop.get('/products/linen-shirt'), shirt);
});

test('Shopify products with the previous header are imported', async () => {
  const shop = await openShop(h);
  const file = fixture('shopify-products-old.csv');
  assert.equal(countsOf(await shop.run('type=products&market=us', file)), 'DONE +2 ~0 =0 -0 !0');
  const hat = await shop.get('/products/wool-hat');
  assert.deepEqual(
    hat.variants.map((variant: Json) => [variant.sku, variant.name]),
    [
      ['HAT-RED', 'Red'],
      ['HAT-BLUE', 'Blue'],
    ],
  );
  assert.equal(hat.variants[1].inventory.quantity, 7);
  const edited = file
    .toString()
    .replace('HAT-BLUE,100,shopify,7,deny,manual,20.00', 'HAT-BLUE,100,shopify,7,deny,manual,22.00');
  assert.equal(countsOf(await shop.run('type=products&market=us', edited)), 'DONE +0 ~1 =1 -0 !0');
  assert.equal((await shop.get('/products/wool-hat')).variants[1].pricing.markets[0].price, 2200);
});

test('Shopify and WooCommerce variants keep weight, barcode and customs details, and unreadable values are reported', async () => {
  const shop = await openShop(h);
  const detailsOf = ({ variants }: Json) =>
    variants.map(({ weight, barcode, hsCode, originCountry, requiresShipping }: Json) => [
      ...[weight, barcode, hsCode, originCountry, requiresShipping],
    ]);
  const shopify = [
    'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Grams,Variant Weight Unit,Variant Requires Shipping,Variant Barcode,HS Code,COO',
    "mug,Mug,Size,S,10,350,kg,true,'0123456789012,6912.00,pt",
    'mug,,Size,L,12,0.0,kg,false,,none,Portugal',
  ];
  const done = await shop.run('type=products&market=us', shopify.join('\n'));
  assert.deepEqual(detailsOf(await shop.get('/products/mug')), [
    [350, '0123456789012', '6912.00', 'PT', true],
    [undefined, undefined, undefined, undefined, false],
  ]);
  assert.deepEqual(
    done.warnings.map(({ row, field }: Json) => [row, field]),
    [
      [3, 'HS Code'],
      [3, 'COO'],
    ],
  );
  assert.deepEqual(done.notes, []);
  const current = [
    'Title,URL handle,Option1 name,Option1 value,Price,Weight value (grams),Weight unit for display,Requires shipping,Barcode',
    'Lamp,lamp,Title,Default Title,10,1200,kg,TRUE,4006381333931',
  ];
  await shop.run('type=products&market=us', current.join('\n'));
  assert.deepEqual(detailsOf(await shop.get('/products/lamp')), [[1200, '4006381333931', undefined, undefined, true]]);
  const woocommerce = [
    'ID,Type,SKU,Name,Published,Regular price,Weight (lbs),"GTIN, UPC, EAN, or ISBN",Parent,Attribute 1 name,Attribute 1 value(s)',
    '1,variable,TEE,Tee,1,,0.5,,,Size,"S, M"',
    '2,variation,TEE-S,,1,12,,4006381333948,TEE,Size,S',
    '3,variation,TEE-M,,1,12,1,,TEE,Size,M',
    '4,"simple, virtual",BOOK,E-book,1,9,heavy,,,,',
  ];
  const woo = await shop.run('type=products&market=us', woocommerce.join('\n'));
  assert.deepEqual(detailsOf(await shop.get('/products/tee')), [
    [227, '4006381333948', undefined, undefined, true],
    [454, undefined, undefined, undefined, true],
  ]);
  assert.deepEqual(detailsOf(await shop.get('/products/e-book')), [
    [undefined, undefined, undefined, undefined, false],
  ]);
  assert.deepEqual(
    woo.warnings.map(({ row, field }: Json) => [row, field]),
    [[5, 'Weight (lbs)']],
  );
});

test('images of a Shopify product are sorted by position', async () => {
  const shop = await openShop(h);
  const file = [
    'Handle,Title,Option1 Value,Image Src,Image Position',
    'lamp,Lamp,Default Title,https://images.example/last.jpg,10',
    'lamp,,,https://images.example/first.jpg,2',
    'lamp,,,https://images.example/none.jpg,',
  ].join('\n');
  assert.equal(countsOf(await shop.run('type=products&market=us', file)), 'DONE +1 ~0 =0 -0 !0');
  const { gallery } = await shop.get('/products/lamp');
  assert.deepEqual(
    gallery.map(({ url }: Json) => url.slice('https://images.example/'.length)),
    ['first.jpg', 'last.jpg', 'none.jpg'],
  );
});

test('WooCommerce variations belong to the preceding product, and products without a SKU are matched when imported again', async () => {
  const shop = await openShop(h, { configs: { markets: [{ id: 'de', currency: 'eur' }] } });
  const file = fixture('woocommerce-products.csv');
  const done = await shop.run('type=products', file);
  assert.equal(countsOf(done), 'DONE +3 ~0 =0 -0 !1');
  assert.deepEqual(done.errors[0]!.row, 7);
  assert.match(done.errors[0]!.message, /type grouped/);
  const mug = await shop.get('/products/mug');
  assert.deepEqual(mug.variants[0].pricing.markets, [
    { marketId: 'de', currency: 'eur', price: 850, compareAtPrice: 1000, lowestPrice30: 850 },
  ]);
  assert.deepEqual(mug.variants[0].inventory, { tracked: true, quantity: 30, lowStockThreshold: 2 });
  assert.equal(mug.category, 'Kitchen > Cups');
  const categories = mug.blocks.find(({ id }: Json) => id === 'categories');
  assert.equal(categories.value, 'Kitchen > Cups, Sale', 'additional categories are kept');
  const tee = await shop.get('/products/t-shirt');
  assert.deepEqual(
    tee.variants.map(({ sku }: Json) => sku),
    ['TEE-S', 'TEE-M'],
  );
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =3 -0 !1');
  const twice = [
    'ID,Type,SKU,Name,Published,Regular price',
    '8,simple,TWICE,One,1,4.50',
    '9,simple,TWICE,Two,1,4.50',
    '10,variable,BOTH,One,1,',
    '11,variable,BOTH,Two,1,',
  ];
  const repeated = await shop.run('type=products', twice.join('\n'));
  assert.equal(countsOf(repeated), 'DONE +4 ~0 =0 -0 !0');
  assert.equal(repeated.warnings[0]!.message, '“TWICE” is already used in row 2. It was left out here.');
  assert.deepEqual((await shop.get('/products/two')).variants[0].sku, '');
  assert.equal(countsOf(await shop.run('type=products', twice.join('\n'))), 'DONE +0 ~0 =4 -0 !0');
  const ids = await shop.run('type=products', [...twice, '8,simple,,Three,1,1'].join('\n'));
  assert.equal(ids.errors[0]!.message, '“8” is already used in row 2.');
});

test('WooCommerce sale prices apply within their dates, and each loss is reported with its row', async () => {
  const shop = await openShop(h, { configs: { markets: [{ id: 'de', currency: 'eur' }] } });
  const day = (days: number) => new Date((h.clock.seconds() + days * 86_400) * 1000).toISOString().slice(0, 10);
  const file = [
    'ID,Type,SKU,Name,Published,Stock,Backorders allowed?,Sale price,Regular price,Date sale price starts,Date sale price ends,Parent,Attribute 1 name,Attribute 1 value(s),Images',
    `1,simple,OVER,Over,1,,0,8,10,${day(-9)},${day(-1)},,,,`,
    `2,simple,LATER,Later,1,,0,8,10,${day(2)},${day(9)},,,,`,
    `3,simple,NOW,Now,1,,0,8,10,${day(-1)},${day(0)},,,,`,
    '4,simple,BACK,Back,1,5,notify,,10,,,,,,',
    '5,variable,EMPTY,Empty,1,,,,,,,,Size,"S, M",',
    '6,variable,TEE,Tee,1,,,,,,,,Size,"S, M",',
    '7,variation,TEE-ANY,,1,3,,,12,,,TEE,Size,,',
    '8,simple,PIC,Pic,1,-4,,,10,,,,,,"/wp-content/pic.jpg, https://shop.example/pic.jpg"',
  ].join('\n');
  const dry = await shop.run('type=products&dryRun=true', file);
  assert.equal(countsOf(dry), 'DONE +7 ~0 =0 -0 !0');
  const expected = [
    [2, 'Date sale price ends', 'SALE_DATES'],
    [3, 'Date sale price starts', 'SALE_DATES'],
    [4, 'Date sale price ends', 'SALE_DATES'],
    [5, 'Backorders allowed?', 'UNTRACKED'],
    [6, 'Type', 'NO_VARIANTS'],
    [8, 'Attribute 1 value(s)', 'ANY_VALUE'],
    [9, 'Images', 'NO_URL'],
    [9, 'Stock', 'NEGATIVE'],
  ];
  assert.deepEqual(
    dry.warnings.map(({ row, field, error }) => [row, field, error]),
    expected,
  );
  assert.equal(dry.warningCount, expected.length);
  const done = await shop.run('type=products', file);
  assert.deepEqual(done.warnings, dry.warnings);
  const listed = await shop.get(`/imports/${done.id}/warnings?limit=100`);
  assert.deepEqual(listed.items, done.warnings);
  const priceOf = async (slug: string) => (await shop.get(`/products/${slug}`)).variants[0]!.pricing.markets[0];
  assert.deepEqual(await priceOf('over'), { marketId: 'de', currency: 'eur', price: 1000 });
  assert.deepEqual(await priceOf('later'), { marketId: 'de', currency: 'eur', price: 1000 });
  const sale = { marketId: 'de', currency: 'eur', price: 800, compareAtPrice: 1000, lowestPrice30: 800 };
  assert.deepEqual(await priceOf('now'), sale);
  const statusOf = async (slug: string) => (await shop.get(`/products/${slug}`)).statuses.at(-1)!.status;
  assert.deepEqual([await statusOf('empty'), await statusOf('tee')], ['DRAFT', 'ACTIVE']);
  const pic = await shop.get('/products/pic');
  assert.deepEqual([pic.gallery.length, pic.variants[0].inventory], [1, { tracked: true, quantity: 0 }]);
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =7 -0 !0');
});

test('a WooCommerce sale price applies from its start to its end, unless the price was changed here', async () => {
  const shop = await openShop(h, { configs: { markets: [{ id: 'de', currency: 'eur' }] } });
  const day = (days: number) => new Date((h.clock.seconds() + days * 86_400) * 1000).toISOString().slice(0, 10);
  const file = [
    'ID,Type,SKU,Name,Published,Sale price,Regular price,Date sale price starts,Date sale price ends',
    `1,simple,SALE,Sale,1,8,10,${day(2)},${day(9)}`,
    `2,simple,OWN,Own,1,8,10,${day(2)},${day(9)}`,
    `3,simple,ENDS,Ends,1,8,10,,${day(9)}`,
    `4,simple,HALF,Half,1,8,,${day(2)},${day(9)}`,
  ].join('\n');
  const dry = await shop.run('type=products&dryRun=true', file);
  assert.deepEqual(
    dry.warnings.map(({ row, message }) => [row, message]),
    [
      [
        2,
        `The sale price 8 applies from ${day(2)} until ${day(9)}. Changing the price before then cancels the schedule.`,
      ],
      [
        3,
        `The sale price 8 applies from ${day(2)} until ${day(9)}. Changing the price before then cancels the schedule.`,
      ],
      [4, `The sale price 8 applies until ${day(9)}. Changing the price before then cancels the schedule.`],
      [5, `The sale applies from ${day(2)} until ${day(9)}. It was not scheduled, because a price is missing.`],
      [5, "The file has no price for this variant. Without a price, it can't be bought."],
    ],
  );
  await shop.run('type=products', file);
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =4 -0 !0');
  const own = await shop.get('/products/own');
  const prices = [{ marketId: 'de', currency: 'eur', price: 950 }];
  const item = { productId: own.id, variantId: own.variants[0]!.id, prices };
  assert.equal((await shop.call('PUT', '/prices', { items: [item] })).status, 200);
  /** As a new member, because tokens expire. */
  async function listPrices() {
    const { token } = await h.member(shop.businessId, 'ADMIN');
    const prices = [];
    for (const slug of ['sale', 'own', 'ends']) {
      const { body } = await h.call('GET', `${shop.base}/products/${slug}`, { token });
      const { price, compareAtPrice } = body.variants[0]!.pricing.markets[0]!;
      prices.push(compareAtPrice === undefined ? price : `${price} instead of ${compareAtPrice}`);
    }
    return prices;
  }
  await h.drain('change-price');
  assert.deepEqual(await listPrices(), [1000, 950, '800 instead of 1000']);
  h.clock.advance(2 * 86_400);
  await h.drain('change-price');
  assert.deepEqual(await listPrices(), ['800 instead of 1000', 950, '800 instead of 1000']);
  h.clock.advance(8 * 86_400);
  await h.drain('change-price');
  assert.deepEqual(await listPrices(), [1000, 950, 1000]);
});

test('a product without variants in the file stays public if it has variants here', async () => {
  const shop = await openShop(h, { configs: { markets: [{ id: 'de', currency: 'eur' }] } });
  const header = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Status';
  await shop.run('type=products', [header, 'tee,Tee,Size,S,TEE-S,9,active'].join('\n'));
  const without = await shop.run('type=products', [header, 'tee,Tee,,,,,active', 'hat,Hat,,,,,active'].join('\n'));
  assert.equal(countsOf(without), 'DONE +1 ~0 =1 -0 !0');
  assert.equal((await shop.get('/products/hat')).statuses.at(-1).status, 'DRAFT');
});

test('WooCommerce variations can be anywhere in the file, and escaped text is decoded', async () => {
  const shop = await openShop(h, { configs: { markets: [{ id: 'de', currency: 'eur' }] } });
  const header =
    'ID,Type,SKU,Name,Published,Description,Stock,Regular price,Categories,Parent,Attribute 1 name,Attribute 1 value(s)';
  const rows = [
    '70,variation,TEE-XL,,1,,7,21,,TEE,Size,XL',
    '71,variable,TEE,"\'-20% T-shirt",1,First\\nsecond,,,"Tops\\, shirts, Sale",,Size,"S, M, XL"',
    '72,variation,TEE-S,,1,,4,20,,TEE,Size,S',
    '73,variable,,Hoodie,1,,,,,,Colour,',
    '74,simple,BELT,Belt,1,,,30,,,,',
    '75,variation,TEE-M,,1,,,20,,id:71,Size,M',
    '76,variation,,,1,,,45,,id:73,Colour,"Green\\, dark"',
    '77,variation,LOST,,1,,,9,,GONE,Size,S',
  ];
  const file = [header, ...rows].join('\n');
  assert.equal(countsOf(await shop.run('type=products&dryRun=true', file)), 'DONE +3 ~0 =0 -0 !1');
  const done = await shop.run('type=products', file);
  assert.deepEqual([countsOf(done), done.rows], ['DONE +3 ~0 =0 -0 !1', 8]);
  assert.deepEqual([done.errors[0]!.row, done.errors[0]!.error], [9, 'NOT_FOUND']);
  const tee = await shop.get('/products/20-t-shirt');
  assert.deepEqual([tee.name, tee.description, tee.category], ['-20% T-shirt', 'First\nsecond', 'Tops, shirts']);
  assert.deepEqual(
    tee.variants.map(({ sku }: Json) => sku),
    ['TEE-S', 'TEE-XL', 'TEE-M'],
  );
  const [green] = (await shop.get('/products/hoodie')).variants;
  assert.deepEqual(green.attributes, [{ name: 'Colour', value: 'Green, dark' }]);
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =3 -0 !1');
  assert.deepEqual(await shop.get('/products/20-t-shirt'), tee);

  const broken = await shop.run('type=products', file.replace('TEE-M,,1,,,20', 'TEE-M,,1,,,twenty'));
  assert.equal(countsOf(broken), 'DONE +0 ~0 =2 -0 !2');
  assert.deepEqual(await shop.get('/products/20-t-shirt'), tee, 'a product is never imported partially');
});

test('WooCommerce variations that share stock never get more than the total, and the dry run notes it', async () => {
  const shop = await openShop(h, { configs: { markets: [{ id: 'de', currency: 'eur' }] } });
  const file = [
    'ID,Type,SKU,Name,Published,Stock,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
    '1,variable,TEE,T-shirt,1,5,,,Size,"S, M, L"',
    '2,variation,TEE-S,,1,parent,20,TEE,Size,S',
    '3,variation,TEE-M,,1,parent,20,TEE,Size,M',
    '4,variation,TEE-L,,1,7,20,TEE,Size,L',
  ].join('\n');
  const tried = await shop.run('type=products&dryRun=true', file);
  assert.deepEqual([tried.warnings[0]!.row, tried.warnings[0]!.error], [2, 'SHARED_STOCK']);
  await shop.run('type=products', file);
  const { variants } = await shop.get('/products/t-shirt');
  assert.deepEqual(
    variants.map(({ inventory }: Json) => inventory.quantity),
    [3, 2, 7],
  );
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =1 -0 !0');
});

test('prices in another currency are rejected, and missing prices are reported with their row', async () => {
  const shop = await openShop(h);
  const files = {
    'market=us': [
      'Handle,Title,Option1 Name,Option1 Value,Variant Price,Price / Europe,Compare At Price / Europe,Status',
      'a,A,Title,Default Title,"12,50 EUR",,,active',
      'b,B,Title,Default Title,$12.50,"11,00 €","13,00",active',
      'c,C,Title,Default Title,,,,unlisted',
    ],
    'market=eu': ['Type,SKU,Name,Regular price', 'simple,D,D,$12.50', 'simple,E,E,12.50 eur', 'simple,F,F,'],
    '': ['Product Handle,Product Title,Variant SKU,Variant Price EUR', 'g,G,G,£12.50', 'h,H,H,"12,50 €"', 'i,I,I,'],
  };
  for (const [query, lines] of Object.entries(files)) {
    const dry = await shop.run(`type=products&${query}&dryRun=true`, lines.join('\n'));
    const done = await shop.run(`type=products&${query}`, lines.join('\n'));
    const found = ({ errors, warnings }: Json) =>
      [...errors, ...warnings].map(({ row, field, error }) => `${row} ${field} ${error}`);
    const column = lines[0]!.split(',').find((name) => /price/i.test(name));
    const unlisted = query === 'market=us' ? ['4 Status UNLISTED'] : [];
    assert.deepEqual(found(done), [`2 ${column} CURRENCY_MISMATCH`, ...unlisted, `4 ${column} NO_PRICE`]);
    assert.deepEqual([found(dry), countsOf(done)], [found(done), 'DONE +2 ~0 =0 -0 !1']);
    assert.doesNotMatch(done.notes.join(), /price/i, 'no price column is ignored');
  }
  assert.deepEqual((await shop.get('/products/b')).variants[0].pricing.markets, [
    { marketId: 'us', currency: 'usd', price: 1250 },
    { marketId: 'eu', currency: 'eur', price: 1100, compareAtPrice: 1300, lowestPrice30: 1100 },
  ]);
  const titles = ['Handle,Title,Option1 Name,Option1 Value', 'b,Bee,Title,Default Title'];
  assert.deepEqual((await shop.run('type=products', titles.join('\n'))).warnings, [], 'a file without prices');
});

test('a Medusa price column applies to all markets with its currency', async () => {
  const shop = await openShop(h);
  const file = fixture('medusa-products.csv');
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +2 ~0 =0 -0 !0');
  const shirt = await shop.get('/products/sweatshirt');
  assert.deepEqual(shirt.variants[1].pricing.markets, [
    { marketId: 'eu', currency: 'eur', price: 1050 },
    { marketId: 'us', currency: 'usd', price: 1595 },
  ]);
  assert.equal((await shop.get('/products/sweatpants')).statuses.at(-1).status, 'DRAFT');
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =2 -0 !0');

  const previous = [
    'Product Handle,Product Title,Product Status,Variant SKU,Price EUR,Option 1 Name,Option 1 Value,Image 1 Url',
    'cap,Cap,published,CAP-S,10.00,Size,S,https://shop.example/cap.jpg',
  ].join('\n');
  const { notes } = await shop.run('type=products', previous);
  const cap = await shop.get('/products/cap');
  assert.deepEqual([cap.variants[0].attributes, cap.gallery.length], [[{ name: 'Size', value: 'S' }], 1]);
  assert.deepEqual(notes, [], 'all columns of 1.x are read');
});

test('Medusa prices of a region apply to its market only, and products without a quantity are not sold out', async () => {
  const shop = await openShop(h);
  const file = [
    'Product Handle,Product Title,Product Status,Product Category 1,Product Tag 1,Variant Title,Variant SKU,Variant Manage Inventory,Variant Allow Backorder,Variant Price Europe [EUR],Variant Price EUR,Variant Price USD,Variant Price Mars [EUR]',
    'tee,Tee,published,pcat_01J9,Warm,S,TEE-S,TRUE,FALSE,9,10,11,1',
    'tee,Tee,published,pcat_01J9,Warm,M,TEE-M,TRUE,FALSE,,10,11,1',
    'cap,Cap,published,Hats,,One,CAP,TRUE,TRUE,,5,6,',
  ].join('\n');
  const done = await shop.run('type=products', file);
  assert.deepEqual(done.notes, ['Ignored columns: Variant Price Mars [EUR].']);
  assert.deepEqual(
    done.warnings.map(({ row, field, error }) => [row, field, error]),
    [
      [2, 'Product Category 1', 'NO_NAME'],
      [2, 'Variant Manage Inventory', 'UNTRACKED'],
      [4, 'Variant Allow Backorder', 'UNTRACKED'],
    ],
  );
  const { variants, category } = await shop.get('/products/tee');
  assert.deepEqual(
    variants.map(({ pricing }: Json) =>
      pricing.markets.map(({ marketId, price }: Json) => `${marketId} ${price}`).sort(),
    ),
    [
      ['eu 900', 'us 1100'],
      ['eu 1000', 'us 1100'],
    ],
  );
  assert.deepEqual([variants[0].inventory.tracked, category], [false, '']);
  assert.equal((await shop.get('/products/cap')).category, 'Hats');
  const tracked = { ...variants[0], inventory: { tracked: true, quantity: 4 } };
  await shop.call('PUT', '/products/tee', { variants: [tracked, variants[1]] });
  await shop.run('type=products', file);
  const kept = (await shop.get('/products/tee')).variants[0].inventory;
  assert.deepEqual(kept, { tracked: true, quantity: 4 }, 'stock that is counted here is kept');
});

test('Shopify customers become customers of the business, even without an email', async () => {
  const shop = await openShop(h);
  const file = fixture('shopify-customers.csv');
  assert.equal(countsOf(await shop.run('type=customers', file)), 'DONE +3 ~0 =0 -0 !0');
  const [ada] = (await shop.get('/customers?query=ada')).items;
  assert.deepEqual([ada!.name, ada!.phone, ada!.tags], ['Ada Lovelace', '+442071234567', ['vip', 'maths']]);
  assert.deepEqual(ada!.addresses, [
    { street: 'Main Street 1', city: 'London', state: '', zip: 'SW1A', country: 'GB' },
  ]);
  assert.match(ada!.consent!.source, /Shopify/);
  assert.equal(countsOf(await shop.run('type=customers', file)), 'DONE +0 ~0 =3 -0 !0');
  const named = 'First Name,Last Name,Email,Accepts Email Marketing\nGrace,Hopper,,no\n';
  assert.equal(countsOf(await shop.run('type=customers', named)), 'DONE +1 ~0 =0 -0 !0');
  assert.equal(countsOf(await shop.run('type=customers', named)), 'DONE +0 ~0 =1 -0 !0', 'recognized by name alone');
});

async function newsletter(shop: Awaited<ReturnType<typeof openShop>>, name = 'Letters') {
  const { body } = await shop.call('POST', '/collections', {
    name,
    type: 'NEWSLETTER',
    statuses: [{ status: 'PUBLISHED' }],
    plans: [{ id: 'free', name: 'Free' }],
    blocks: [{ id: 'title', type: 'TEXT' }],
  });
  return body.id as string;
}

test('Ghost members require consent, and members without email delivery are never emailed', async () => {
  const shop = await openShop(h);
  const id = await newsletter(shop);
  const file = fixture('ghost-members.csv');
  const refused = await shop.post(`type=subscribers&collectionId=${id}`, file);
  assert.deepEqual([refused.status, refused.body.details[0]!.field], [422, 'consent']);
  const query = `type=subscribers&collectionId=${id}&consent=Ghost`;
  const done = await shop.run(query, file);
  assert.equal(countsOf(done), 'DONE +2 ~0 =0 -1 !1');
  assert.deepEqual([done.errors[0]!.row, done.errors[0]!.field], [5, 'email']);
  const { items } = await shop.get(`/collections/${id}/subscribers`);
  assert.deepEqual(items.map(({ email, status }) => `${email} ${status}`).sort(), [
    'ada@example.com ACTIVE',
    'bo@example.com UNSUBSCRIBED',
  ]);
  const ada = items.find(({ email }) => email === 'ada@example.com');
  const consent = await shop.get(`/collections/${id}/subscribers/${ada!.id}/consent`);
  assert.deepEqual([consent.source, consent.at, consent.userId], ['Ghost', 1_682_413_920, shop.userId]);
  assert.equal(countsOf(await shop.run(query, file)), 'DONE +0 ~0 =2 -1 !1');
  const complete = 'email,name\nbo@example.com,Bo\n';
  const again = await shop.run(query, complete);
  assert.equal(countsOf(again), 'DONE +0 ~0 =0 -0 !1');
  assert.equal(again.errors[0]!.error, 'UNSUBSCRIBED');
});

test('Ghost posts and Strapi entries fill the blocks of a collection', async () => {
  const shop = await openShop(h);
  const { body: blog } = await shop.call('POST', '/collections', {
    name: 'Blog',
    blocks: [
      { id: 'title', type: 'TEXT', required: true },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
      { id: 'excerpt', type: 'TEXT' },
      { id: 'views', type: 'NUMBER' },
      { id: 'image', type: 'MEDIA' },
    ],
  });
  const posts = await shop.run(`type=entries&collectionId=${blog.id}`, fixture('ghost-posts.json'), 'application/json');
  assert.equal(countsOf(posts), 'DONE +2 ~0 =0 -0 !0');
  assert.deepEqual(posts.notes, []);
  assert.deepEqual(
    posts.warnings.map(({ row, field, error }) => [row, field, error]),
    [
      [1, 'html', 'DROPPED'],
      [1, 'html', 'NO_URL'],
      [1, 'feature_image', 'NO_URL'],
    ],
  );
  const { items } = await shop.get(`/entries?collectionId=${blog.id}&status=PUBLISHED`);
  const values = Object.fromEntries(items[0]!.blocks.map(({ id, value }) => [id, value]));
  assert.deepEqual(values, {
    title: 'Hello, "world"',
    body: '<p>First <a href="/hello/" rel="noopener noreferrer">post</a></p>',
    excerpt: 'In short',
  });
  assert.equal(items[0]!.createdAt, 1_672_740_000);
  assert.equal(
    countsOf(await shop.run(`type=entries&collectionId=${blog.id}`, fixture('ghost-posts.json'))),
    'DONE +0 ~0 =2 -0 !0',
  );
  const strapi = await shop.run('type=entries&collectionId=blog', fixture('strapi-entries.json'), 'application/json');
  assert.equal(countsOf(strapi), 'DONE +2 ~0 =0 -0 !0');
  assert.deepEqual(strapi.notes, []);
  const drafts = await shop.get(`/entries?collectionId=${blog.id}&status=DRAFT`);
  assert.equal(drafts.items.length, 2);
  assert.equal(
    countsOf(await shop.run('type=entries&collectionId=blog', fixture('strapi-entries.json'))),
    'DONE +0 ~0 =2 -0 !0',
  );
});
